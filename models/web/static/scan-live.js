// Live scanning: pictures of the camera go to the daemon one after the other, and its product is shown while it is held.
import { unsent } from "./forms.js";
import "./label.js";
import { end, hasCamera, seen, send, show, wait } from "./camera.js";

const LEAST = 67; // ms between two pictures
const ASKED = 5; // every so many pictures without a code of the browser's own detector, the daemon looks
const RETAIL = ["ean_13", "ean_8", "upc_a", "upc_e"];
const start = document.getElementById("live");
const stop = document.getElementById("stop");
const see = document.getElementById("see");
const place = document.getElementById("code");
let shown = "";
let before = "";

async function detector() {
  const known = (await window.BarcodeDetector?.getSupportedFormats?.()) ?? [];
  return known.includes("ean_13") ? new BarcodeDetector({ formats: RETAIL.filter((one) => known.includes(one)) }) : null;
}

// The number that the browser's own detector sees; it counts like any other if two pictures agree.
async function detected(eye) {
  const codes = await eye.detect(see).catch(() => []);
  return codes.length === 1 ? { gtin: codes[0].rawValue, isSure: codes[0].rawValue === before } : {};
}

async function asked() {
  const answer = await send(see, `/v1/codes?before=${before}`);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

async function tell(number) {
  const answer = await fetch(`/scan/${number}`);
  if (!answer.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("found");
  if (!found || !see.srcObject) return;
  place.replaceChildren(document.adoptNode(found));
  navigator.vibrate?.(30);
}

async function read() {
  const eye = await detector();
  for (let turn = 1; see.srcObject?.active; turn += 1) {
    await seen();
    const begun = performance.now();
    try {
      let code = eye ? await detected(eye) : await asked();
      if (eye && !code.gtin && turn % ASKED === 0) code = await asked();
      if (code.isSure && code.gtin !== shown) {
        shown = code.gtin;
        await tell(code.gtin);
      }
      before = code.gtin ?? "";
      place.dataset.read = turn;
    } catch {
      await wait();
    }
    await wait(Math.max(0, LEAST - (performance.now() - begun)));
  }
}

async function begin() {
  if (!(await show(see))) return;
  document.getElementById("drop").classList.add("drop--live");
  [start.hidden, stop.hidden, shown] = [true, false, ""];
  read();
}

function finish() {
  end(see);
  document.getElementById("drop").classList.remove("drop--live");
  [start.hidden, stop.hidden] = [false, true];
}

// What a tap adds: the next packet can be held at once. A refusal needs its page.
place.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!event.submitter) return;
  event.preventDefault();
  const { name, value } = event.submitter;
  const done = place.querySelector("[data-done]");
  done.replaceChildren();
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams({ [name]: value }) }).catch(() => undefined);
  if (!answer) return unsent(form, event.submitter);
  if (answer.ok) {
    const link = Object.assign(document.createElement("a"), { href: answer.url, textContent: done.dataset.done });
    return done.replaceChildren(link);
  }
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  form.submit();
});

if (hasCamera) {
  start.hidden = false;
  start.addEventListener("click", begin);
  stop.addEventListener("click", finish);
}
