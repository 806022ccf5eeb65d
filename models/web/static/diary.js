// Diary: results while a person types, photos sent at once, and the browser's time zone.
const zone = document.querySelector("[data-zone]");
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;

const photo = document.getElementById("pf");
photo?.addEventListener("change", () => {
  document.getElementById("sending").textContent = photo.form.dataset.send;
  photo.form.submit();
});

const find = document.getElementById("find");
const meal = document.getElementById("m");
const setMeal = () => document.querySelectorAll("[data-meal]").forEach((field) => { field.value = meal.value; });
meal?.addEventListener("change", setMeal);

const showHint = () => document.querySelectorAll("[data-enter]").forEach((hint) => { hint.hidden = false; });

if (find) {
  const field = find.elements.q;
  let waiting;
  let asked = 0;
  const search = async () => {
    const turn = ++asked;
    const text = field.value.trim();
    const answer = await fetch(`/today/add?${new URLSearchParams(new FormData(find))}`);
    if (!answer.ok || turn !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.getElementById("results");
    if (turn !== asked || !found) return;
    document.getElementById("results").replaceWith(document.adoptNode(found));
    found.dataset.q = text;
    setMeal();
    showHint();
  };
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 80);
  });
  // Enter adds the first result of what was typed; without a result the server answers.
  field.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter" || !field.value.trim()) return;
    event.preventDefault();
    clearTimeout(waiting);
    if (document.getElementById("results").dataset.q !== field.value.trim()) await search();
    const first = document.querySelector("#results form");
    if (first) first.requestSubmit();
    else find.submit();
  });
  showHint();
}
