// Lists: a form of the page is sent without leaving it. The answer replaces the content, and the focus stays where it was.
import { buzz, REFUSED } from "./touch.js";

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-live]")) return;
  event.preventDefault();
  const button = event.submitter;
  const number = button?.closest("li")?.id;
  let page;
  try {
    const answer = await fetch(form.action, { method: "post", body: new URLSearchParams(new FormData(form, button)) });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.redirected) history.replaceState(null, "", answer.url);
  } catch {
    // The browser says what is wrong with the connection. It does not send the button by itself.
    const { name, value } = button ?? {};
    if (name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    return form.submit();
  }
  const main = page.getElementById("main");
  if (!main) return location.reload();
  document.getElementById("main").replaceWith(document.adoptNode(main));
  if (main.querySelector("[role=alert]")) buzz(REFUSED);
  const same = button?.value && main.querySelector(`button[name="${button.name}"][value="${CSS.escape(button.value)}"]`);
  const next = main.querySelector("[role=alert] button") ?? (form.querySelector("#ad") && main.querySelector("#ad"))
    ?? same ?? (number && main.querySelector(`#${number} button`));
  (next || main).focus();
});
