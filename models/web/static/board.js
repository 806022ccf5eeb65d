// Board: every line of the session's stream renews the parts of the page that a photo changes.
import { later, renew } from "./live.js";

const board = document.getElementById("board");

// A camera sends many frames a second: the pieces move at once, and the rest of the page follows once a second.
const table = document.getElementById("table");
const colours = ["black", "blue", "brown", "cyan", "green", "magenta", "orange", "purple", "red", "white", "yellow"];
let soon;

function draw(frame) {
  if (frame.board) table.setAttribute("viewBox", `0 0 ${frame.board.w_mm} ${frame.board.h_mm}`);
  const old = new Map([...table.children].map((shape) => [shape.dataset.id, shape]));
  for (const piece of frame.pieces) {
    const id = String(piece.id);
    let shape = old.get(id);
    old.delete(id);
    if (!shape) {
      shape = table.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "polygon"));
      shape.dataset.id = id;
    }
    shape.setAttribute("points", piece.polygon_mm.map((corner) => corner.map((at) => at.toFixed(1)).join()).join(" "));
    shape.setAttribute("fill", colours.includes(piece.colour) ? piece.colour : "grey");
    shape.setAttribute("class", piece.state);
  }
  for (const gone of old.values()) gone.remove();
  table.dataset.frames = Number(table.dataset.frames ?? 0) + 1;
  soon ??= setTimeout(() => {
    soon = undefined;
    renew();
  }, 1000);
}

const source = new EventSource(board.dataset.stream);
source.addEventListener("frame", (event) => {
  if (table) draw(JSON.parse(event.data));
  else later();
});
source.addEventListener("game", later);
source.addEventListener("open", () => { document.getElementById("live").hidden = false; });
source.addEventListener("error", () => { document.getElementById("live").hidden = true; });
addEventListener("pagehide", () => source.close());

// Hint and reset keep the place on the page.
for (const form of document.querySelectorAll("form[data-play]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await fetch(form.action, { method: "POST" });
    if (answer.ok) later();
    else form.submit();
  });
}
