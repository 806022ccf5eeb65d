// Progress: stages come without numbers, the end comes as an event that a restart does not lose. Rows of several photos
// are renewed from the page's own address.
import { events, photo } from "./events.js";
import { later } from "./live.js";

const bar = document.querySelector(".progress");
const head = document.getElementById("st");
const show = () => photo ? location.reload() : later();
const isShown = ({ id }) => photo ? id === photo : document.querySelector(`[data-sent="${id}"]`) !== null;
const stream = events({
  stage(data) {
    if (!isShown(data)) return;
    if (!photo) return later();
    bar.value = data.fraction;
    const steps = [...document.querySelectorAll(".steps li")];
    const reached = steps.findIndex((step) => step.dataset.stage === data.stage);
    steps.forEach((step, place) => {
      step.className = place <= reached ? "done" : place === reached + 1 ? "now" : "";
      if (place === reached + 1) head.textContent = step.textContent;
    });
  },
  // The product of a barcode is known before the print is read; what it warns of comes first.
  product(data) {
    if (data.id !== photo) return;
    const names = data.products.filter((one) => one.name).map((one) => one.name);
    const avoid = [...new Set(Object.values(data.household ?? {}).flatMap((one) => one.avoid))];
    const found = document.getElementById("found");
    found.hidden = names.length === 0;
    found.classList.toggle("warn", avoid.length > 0);
    document.getElementById("product").textContent = names.join(" · ");
    document.getElementById("avoid").hidden = avoid.length === 0;
  },
  completed(data) { if (isShown(data)) show(); },
  quarantined(data) { if (isShown(data)) show(); },
});
// A stream begins when it opens, also when it opens again: the photo may have been finished before.
stream.addEventListener("open", async () => {
  if (!photo) return later();
  const answer = await fetch(`/v1/images/${photo}`);
  // A photo that is read again still has the outcome of the attempt that failed.
  if ((await answer.json()).state === "done") show();
});
// A browser does not ask again for a stream that was refused.
stream.addEventListener("error", () => {
  if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5000);
});
