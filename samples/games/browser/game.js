// Tangram from the stream of pieces: lay the grey figure anywhere on the table, at any rotation.
//
// Each event of /stream is one frame: pieces with type, x_mm, y_mm (centroid, y down), angle_deg (clockwise, modulo
// 360 / fold), flipped, state and confidence. The game looks at resting pieces only: while a piece moves or a hand hides
// one, nothing is judged.

const TOLERANCE = { mm: 8, degrees: 15 };
const REST_MS = 500;
const LEAST_CONFIDENCE = 0.5;
const FOLD = { square: 4, parallelogram: 2 };
const [POINTS, COMPLETE] = [10, 50];

const element = (name) => document.getElementById(name);
const radians = (degrees) => (degrees * Math.PI) / 180;

/** Degrees between two angles of a piece that looks the same `fold` times a turn, 0…180/fold. */
export function turn(a, b, fold) {
  const span = 360 / fold;
  const off = (((a - b) % span) + span) % span;
  return Math.min(off, span - off);
}

/** A target under a motion of the whole figure: rotation about the origin, then shift. */
export function moved(target, motion) {
  const [sin, cos] = [Math.sin(radians(motion.degrees)), Math.cos(radians(motion.degrees))];
  return {
    ...target,
    x_mm: cos * target.x_mm - sin * target.y_mm + motion.x,
    y_mm: sin * target.x_mm + cos * target.y_mm + motion.y,
    angle_deg: target.angle_deg + motion.degrees,
  };
}

/** The piece on each target under a motion; undefined where none fits. Each piece is used once. */
function assign(targets, pieces, motion) {
  const free = new Set(pieces);
  let error = 0;
  const found = targets.map((target) => {
    const place = moved(target, motion);
    let best;
    for (const piece of free) {
      if (piece.type !== place.type || piece.flipped !== place.flipped) continue;
      const off = Math.hypot(piece.x_mm - place.x_mm, piece.y_mm - place.y_mm);
      if (off > TOLERANCE.mm) continue;
      if (turn(piece.angle_deg, place.angle_deg, FOLD[piece.type] ?? 1) > TOLERANCE.degrees) continue;
      if (!best || off < best.off) best = { piece, off };
    }
    if (!best) return undefined;
    free.delete(best.piece);
    error += best.off;
    return best.piece;
  });
  return { found, motion, error, count: found.filter(Boolean).length };
}

/** The motion of the figure under which most pieces are in place. One piece alone is always in place, so two count. */
export function match(targets, pieces) {
  let best = { found: targets.map(() => undefined), motion: undefined, error: 0, count: 0 };
  for (const target of targets) {
    for (const piece of pieces) {
      if (piece.type !== target.type || piece.flipped !== target.flipped) continue;
      const fold = FOLD[piece.type] ?? 1;
      for (let step = 0; step < fold; step += 1) {
        const degrees = piece.angle_deg - target.angle_deg + (step * 360) / fold;
        const start = moved(target, { degrees, x: 0, y: 0 });
        const motion = { degrees, x: piece.x_mm - start.x_mm, y: piece.y_mm - start.y_mm };
        const next = assign(targets, pieces, motion);
        if (next.count > best.count || (next.count === best.count && next.error < best.error)) best = next;
      }
    }
  }
  return best.count >= 2 ? best : { ...best, found: targets.map(() => undefined), motion: undefined, count: 0 };
}

// MARK: the game

const state = { puzzles: [], shapes: {}, puzzle: undefined, placed: 0, counted: 0, score: 0, isDone: false, motion: undefined };

/** The polygon of a piece type about its area centroid. */
function centred(corners) {
  let [area, x, y] = [0, 0, 0];
  corners.forEach(([ax, ay], index) => {
    const [bx, by] = corners[(index + 1) % corners.length];
    const cross = ax * by - bx * ay;
    area += cross / 2;
    x += ((ax + bx) * cross) / 6;
    y += ((ay + by) * cross) / 6;
  });
  return corners.map(([cx, cy]) => [cx - x / area, cy - y / area]);
}

function outline(place) {
  const [sin, cos] = [Math.sin(radians(place.angle_deg)), Math.cos(radians(place.angle_deg))];
  return state.shapes[place.type].map(([x, y]) => {
    const across = place.flipped ? -x : x;
    return [cos * across - sin * y + place.x_mm, sin * across + cos * y + place.y_mm];
  });
}

function polygon(corners, className, fill) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  shape.setAttribute("points", corners.map((corner) => corner.map((at) => at.toFixed(1)).join()).join(" "));
  shape.setAttribute("class", className);
  if (fill) shape.setAttribute("fill", fill);
  return shape;
}

function draw(frame, found) {
  const table = element("table");
  const [width, height] = [frame.board?.w_mm ?? 320, frame.board?.h_mm ?? 220];
  table.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const motion = state.motion ?? { degrees: 0, x: width / 2, y: height / 2 };
  const shapes = state.puzzle.pieces.map((target) => polygon(outline(moved(target, motion)), "target"));
  for (const piece of frame.pieces) {
    shapes.push(polygon(piece.polygon_mm, `piece ${piece.state}`, /^[a-z]+$/.test(piece.colour ?? "") ? piece.colour : "grey"));
    if (!found.has(piece.id)) continue;
    const tick = document.createElementNS("http://www.w3.org/2000/svg", "text");
    tick.setAttribute("x", piece.x_mm);
    tick.setAttribute("y", piece.y_mm);
    tick.setAttribute("class", "tick");
    tick.textContent = "✓";
    shapes.push(tick);
  }
  table.replaceChildren(...shapes);
}

function say(text) {
  if (element("status").textContent !== text) element("status").textContent = text;
}

/** Judges a frame. A frame that is not settled changes nothing. */
export function judge(frame) {
  const isSettled = frame.pieces.every((piece) => piece.state === "placed" && piece.stable_ms >= REST_MS);
  const pieces = frame.pieces.filter((piece) => piece.confidence >= LEAST_CONFIDENCE);
  const best = match(state.puzzle.pieces, pieces);
  if (isSettled && frame.board) {
    state.motion = best.motion;
    state.placed = best.count;
    // Each piece earns its points once, also when it is taken up and laid again.
    state.score += Math.max(0, best.count - state.counted) * POINTS;
    state.counted = Math.max(state.counted, best.count);
    if (best.count === state.puzzle.pieces.length && !state.isDone) {
      state.isDone = true;
      state.score += COMPLETE;
    }
  }
  return new Set(best.found.filter(Boolean).map((piece) => piece.id));
}

function show(frame) {
  const found = judge(frame);
  draw(frame, found);
  element("score").textContent = state.score;
  const all = state.puzzle.pieces.length;
  if (!frame.board) say("The table is not seen. Show the whole board to the camera.");
  else if (state.isDone) say(`${state.puzzle.title} is complete.`);
  else say(`${state.placed} of ${all} pieces in place.`);
  document.body.dataset.frames = Number(document.body.dataset.frames ?? 0) + 1;
}

function begin(id) {
  state.puzzle = state.puzzles.find((puzzle) => puzzle.id === id) ?? state.puzzles[0];
  Object.assign(state, { placed: 0, counted: 0, isDone: false, motion: undefined });
  element("puzzle").value = state.puzzle.id;
}

async function start() {
  const [book, set] = await Promise.all(["puzzles.json", "set.json"].map(async (name) => (await fetch(name)).json()));
  state.puzzles = book.puzzles;
  for (const piece of set.pieces) state.shapes[piece.type] = centred(piece.shape.polygon);
  for (const puzzle of book.puzzles) element("puzzle").append(new Option(puzzle.title, puzzle.id));
  begin(new URLSearchParams(location.search).get("puzzle"));
  element("puzzle").addEventListener("change", () => begin(element("puzzle").value));
  element("next").addEventListener("click", () => {
    begin(state.puzzles[(state.puzzles.indexOf(state.puzzle) + 1) % state.puzzles.length].id);
  });
  const stream = new EventSource("stream");
  stream.addEventListener("frame", (event) => show(JSON.parse(event.data)));
  stream.addEventListener("error", () => say("The stream is interrupted. Trying again."));
  addEventListener("pagehide", () => stream.close());
}

start();
