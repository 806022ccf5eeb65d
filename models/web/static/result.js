// Result: the box of the dish under the pointer or focus lights up; a changed verdict is announced.
import { events, photo } from "./events.js";
import { ADDED, buzz, REFUSED } from "./touch.js";

for (const dish of document.querySelectorAll("[data-box]")) {
  const box = document.getElementById(dish.dataset.box);
  if (!box) continue;
  const light = (on) => () => box.classList.toggle("is-lit", on);
  dish.addEventListener("pointerenter", light(true));
  dish.addEventListener("pointerleave", light(false));
  dish.addEventListener("focusin", light(true));
  dish.addEventListener("focusout", light(false));
}
events({ verdictChanged(data) { if (data.id === photo) document.getElementById("changed").hidden = false; } });

// Saving needs no other page.
document.getElementById("keep")?.addEventListener("submit", async (event) => {
  const [form, button] = [event.target, event.submitter];
  if (!button) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, button));
  const answer = await fetch(form.action, { method: "POST", body }).catch(() => null);
  if (!answer?.ok) {
    buzz(REFUSED);
    button.removeAttribute("form");
    const { name, value } = button;
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    return form.submit();
  }
  const isSaved = button.name === "save";
  if (isSaved) buzz(ADDED);
  button.name = isSaved ? "unsave" : "save";
  button.setAttribute("aria-pressed", isSaved);
});

// A missing dish: a frame that is drawn on the photo says where it is.
const form = document.querySelector("form[data-draw]");
const svg = document.querySelector("#photo svg");
if (form && svg) {
  form.querySelector("[data-script]").hidden = false;
  const frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  frame.setAttribute("class", "ov ov--box");
  let start = null;
  const image = svg.querySelector("image");
  // The photo may be turned: places are in its own pixels.
  if (image.hasAttribute("transform")) frame.setAttribute("transform", image.getAttribute("transform"));
  const point = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(image.getScreenCTM().inverse());
  const box = (to) => {
    const clamp = (value, name) => Math.round(Math.max(0, Math.min(value, Number(image.getAttribute(name)))));
    const [x1, x2] = [start.x, to.x].map((value) => clamp(value, "width")).sort((a, b) => a - b);
    const [y1, y2] = [start.y, to.y].map((value) => clamp(value, "height")).sort((a, b) => a - b);
    return [x1, y1, x2 - x1, y2 - y1];
  };
  const isOpen = () => form.closest("details").open;
  form.closest("details").addEventListener("toggle", () => svg.classList.toggle("drawing", isOpen()));
  svg.addEventListener("pointerdown", (event) => {
    if (!isOpen()) return;
    event.preventDefault();
    start = point(event);
    svg.setPointerCapture(event.pointerId);
    svg.append(frame);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y, width, height] = box(point(event));
    for (const [name, value] of Object.entries({ x, y, width, height })) frame.setAttribute(name, value);
  });
  svg.addEventListener("pointerup", (event) => {
    if (!start) return;
    const drawn = box(point(event));
    start = null;
    if (drawn[2] > 8 && drawn[3] > 8) form.elements.place.value = drawn.join(",");
    form.elements.name.focus();
  });
}

// The sheet of an ingredient slides over its label; the back button and Escape close it. Its address is a page too.
const sheet = document.createElement("dialog");
sheet.className = "bottomsheet";
document.body.append(sheet);
let opener = null;
const open = async (link) => {
  const answer = await fetch(link.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const article = page.getElementById("sheet");
  if (!article) { location.href = link.href; return; }
  sheet.setAttribute("aria-labelledby", article.querySelector("h1").id);
  sheet.replaceChildren(document.adoptNode(article));
  sheet.querySelector(".crumb")?.addEventListener("click", (event) => { event.preventDefault(); history.back(); });
  opener = link;
  sheet.showModal();
};
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-sheet]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState({ sheet: true }, "");
  open(link).catch(() => { location.href = link.href; });
});
sheet.addEventListener("cancel", (event) => { event.preventDefault(); history.back(); });
sheet.addEventListener("click", (event) => { if (event.target === sheet) history.back(); });
addEventListener("popstate", () => {
  if (!sheet.open) return;
  sheet.close();
  opener?.focus();
});
