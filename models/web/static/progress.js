// Progress: stages come without numbers, the end comes as an event that a restart does not lose.
import { events, photo } from "./events.js";

const bar = document.querySelector(".progress");
const head = document.getElementById("st");
const show = () => location.reload();
events({
  stage(data) {
    if (data.id !== photo) return;
    bar.value = data.fraction;
    const steps = [...document.querySelectorAll(".steps li")];
    const reached = steps.findIndex((step) => step.dataset.stage === data.stage);
    steps.forEach((step, place) => {
      step.className = place <= reached ? "done" : place === reached + 1 ? "now" : "";
      if (place === reached + 1) head.textContent = step.textContent;
    });
  },
  completed(data) { if (data.id === photo) show(); },
  quarantined(data) { if (data.id === photo) show(); },
});
// The photo may have been finished between the page and the stream.
fetch(`/v1/images/${photo}`).then((answer) => answer.json()).then((image) => { if (image.outcome) show(); });
