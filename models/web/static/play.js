// A play: pictures of the browser's camera are read one after the other, and the page shows what they say.
import { end, hasCamera, seen, send, show as showCamera, wait } from "./camera.js";
import { unsent } from "./forms.js";
import { later, renew } from "./live.js";

const play = document.getElementById("play");
const see = document.getElementById("see");
const start = document.getElementById("camera");
let said = "";
let isRunning = false;

// The figure follows at once; words, points and the end come with the page.
function show(view) {
  view.figure?.parts.forEach(({ state }, index) => {
    document.querySelector(`[data-part="${index}"]`)?.setAttribute("class", `part part--${state}`);
  });
  play.dataset.read = view.frames;
  const words = JSON.stringify([view.seen, view.advice, view.standing, view.last?.seq, view.last?.report.outcome.kind]);
  if (words !== said) later();
  said = words;
}

async function read() {
  isRunning = true;
  while (see.srcObject?.active) {
    await seen();
    try {
      const answer = await send(see, play.dataset.frames);
      if (answer.ok) show(await answer.json());
      else if (answer.status === 403) {
        end(see);
        return location.reload(); // Enough for today.
      } else await wait();
    } catch {
      await wait();
    }
  }
  isRunning = false;
}

async function begin() {
  if (!(await showCamera(see))) return;
  start.hidden = true;
  sessionStorage.setItem("camera", "on");
  if (!isRunning) read();
}

if (start && hasCamera) {
  start.hidden = false;
  start.addEventListener("click", begin);
  // The next figure goes on with the camera that a person started.
  if (sessionStorage.getItem("camera")) begin();
} else if (start) document.getElementById("nocamera").hidden = false;

// Recorded pictures are played one after the other, each as a photo.
const recorded = document.getElementById("recorded");
if (recorded) recorded.hidden = false;
recorded?.querySelector("input").addEventListener("change", async ({ target }) => {
  const inOrder = [...target.files].sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  for (const picture of inOrder) {
    const body = new FormData();
    body.set("photo", picture);
    await fetch(document.getElementById("photo").action, { method: "POST", body });
    later();
  }
});

// Another device that shows this play.
const source = new EventSource(play.dataset.stream);
source.addEventListener("game", () => { if (!isRunning) later(); });
addEventListener("pagehide", () => source.close());

// Help and beginning again keep the place on the page.
for (const form of document.querySelectorAll("form[data-play]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await fetch(form.action, { method: "POST" }).catch(() => undefined);
    if (!answer) unsent(form, event.submitter);
    else if (answer.ok) renew();
    else form.submit();
  });
}
document.querySelector("form[action$='/stop']")?.addEventListener("submit", () => sessionStorage.removeItem("camera"));
