// Result: the box of the dish under the pointer or focus lights up; a changed verdict is announced.
import { events, photo } from "./events.js";

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
