// Board: every line of the session's stream renews the parts of the page that a photo changes.
import { unsent } from "./forms.js";
import { later, renew } from "./live.js";

const board = document.getElementById("board");

// A camera sends many frames a second: the pieces move at once, and the rest of the page follows once a second.
const table = document.getElementById("table");
const colours = ["black", "blue", "brown", "cyan", "green", "magenta", "orange", "purple", "red", "white", "yellow"];
let soon;

// The pips that were read, as PipDrawing draws them on the page.
const [diagonal, others, sides, middles] = [
  [[-1, -1], [1, 1]], [[1, -1], [-1, 1]], [[0, -1], [0, 1]], [[-1, 0], [1, 0]],
];

function places(count) {
  if (!(count >= 1 && count <= 9)) return [];
  const pairs = [diagonal, others, sides, middles].slice(0, Math.floor(count / 2)).flat();
  return count % 2 ? [...pairs, [0, 0]] : pairs;
}

function pips({ symbol, value, values, polygon_mm: corners, angle_deg: angle, x_mm: x, y_mm: y }) {
  if (symbol || corners.length !== 4) return "";
  const lengths = corners.map(([a, b], n) => Math.hypot(a - corners[(n + 1) % 4][0], b - corners[(n + 1) % 4][1]));
  const [short, long, turn] = [Math.min(...lengths), Math.max(...lengths), (angle * Math.PI) / 180];
  const halves = values?.length === 2 ? [[values[0], -long / 4], [values[1], long / 4]] : [[value, 0]];
  const r = short * 0.09;
  return halves.flatMap(([count, shift]) => places(count).map(([dx, dy]) => {
    const [px, py] = [shift + dx * short * 0.27, dy * short * 0.27];
    const [cx, cy] = [x + px * Math.cos(turn) - py * Math.sin(turn), y + px * Math.sin(turn) + py * Math.cos(turn)];
    return `M${(cx - r).toFixed(1)} ${cy.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  })).join("");
}

function draw(frame) {
  if (frame.board) table.setAttribute("viewBox", `0 0 ${frame.board.w_mm} ${frame.board.h_mm}`);
  const old = new Map([...table.children].map((shape) => [shape.dataset.id, shape]));
  const shaped = (name, id) => {
    let shape = old.get(id);
    old.delete(id);
    if (!shape) {
      shape = table.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
      shape.dataset.id = id;
    }
    return shape;
  };
  for (const piece of frame.pieces) {
    const shape = shaped("polygon", String(piece.id));
    shape.setAttribute("points", piece.polygon_mm.map((corner) => corner.map((at) => at.toFixed(1)).join()).join(" "));
    shape.setAttribute("fill", colours.includes(piece.colour) ? piece.colour : "grey");
    shape.setAttribute("class", piece.state);
    const path = pips(piece);
    if (!path) continue;
    const dots = shaped("path", `${piece.id} pips`);
    dots.setAttribute("class", "pips");
    dots.setAttribute("d", path);
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
    const answer = await fetch(form.action, { method: "POST" }).catch(() => undefined);
    if (!answer) unsent(form, event.submitter);
    else if (answer.ok) later();
    else form.submit();
  });
}
