// Diary: results while a person types, photos sent at once, the browser's time zone, and forms that wait for a network.
import { find as findKept, isKept, log } from "./away.js";
import { replace } from "./renewal.js";

const zone = document.querySelector("[data-zone]");
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;

// A diary without entries takes the zone of the phone: meals are named by the hour there.
const newZone = document.querySelector("[data-newzone]")?.dataset.newzone;
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (newZone && here && here !== newZone) {
  // The next page has it: a reload would take away what somebody types or opens.
  fetch("/diary/zone", { method: "POST", body: new URLSearchParams({ zone: here }), keepalive: true }).catch(() => undefined);
}

const photo = document.getElementById("pf");
const send = () => {
  document.getElementById("sending").textContent = photo.form.dataset.send;
  photo.form.requestSubmit();
};
photo?.addEventListener("change", send);
// Taken before this script was there.
if (photo?.files.length) send();

const find = document.getElementById("find");
const meal = document.getElementById("m");
const setMeal = () => document.querySelectorAll("[data-meal]").forEach((field) => { field.value = meal.value; });
const asked = new URLSearchParams(location.search).get("meal");
let isMealChosen = asked !== null;
// A kept page is one without a meal.
if (meal && asked) meal.value = asked;
meal?.addEventListener("change", () => {
  isMealChosen = true;
  setMeal();
});

document.addEventListener("submit", (event) => {
  if (log(event.target, event.submitter, isMealChosen)) event.preventDefault();
});

if (find) {
  const field = find.elements.q;
  let waiting;
  let turns = 0;
  const search = async () => {
    const turn = ++turns;
    const text = field.value.trim();
    const query = new URLSearchParams(new FormData(find));
    // The first request of a visit counts as the search.
    if (turn > 1) query.set("typing", "yes");
    const answer = await fetch(`/today/add/found?${query}`).catch(() => undefined);
    if (isKept && turn === turns && (!answer || answer.status >= 502)) return findKept(text, () => turn === turns).then(setMeal);
    if (!answer?.ok || turn !== turns) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.getElementById("results");
    if (turn !== turns || !found) return;
    replace(document.getElementById("results"), found);
    found.dataset.q = text;
    setMeal();
  };
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 80);
  });
  // What was typed before this script ran.
  if (field.value !== field.defaultValue) search();
  // Enter and the button search at once. They log nothing: a person chooses the food.
  find.addEventListener("submit", (event) => {
    if (!field.value.trim()) return;
    event.preventDefault();
    clearTimeout(waiting);
    search();
  });
}
