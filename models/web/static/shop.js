// Lists: a form of the page is sent without leaving it. The answer replaces the content, and the focus stays where it was.
import { buzz, REFUSED } from "./touch.js";
import { unsent } from "./forms.js";
import { keepChange, remember, turn } from "./offline.js";
import { replace } from "./renewal.js";

const PATIENCE = 8000; // ms

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-live]")) return;
  event.preventDefault();
  const button = event.submitter;
  const number = button?.closest("li")?.id;
  const body = new URLSearchParams(new FormData(form, button));
  let page;
  turn.begin();
  try {
    const answer = await fetch(form.action, { method: "post", body, signal: AbortSignal.timeout(PATIENCE) });
    // A proxy that finds no daemon.
    if ([502, 503, 504].includes(answer.status)) throw new Error(`status ${answer.status}`);
    const text = await answer.text();
    page = new DOMParser().parseFromString(text, "text/html");
    if (answer.ok) remember(answer, text);
    if (answer.redirected) history.replaceState(null, "", answer.url);
  } catch {
    if (!await keepChange(form, button, body)) unsent(form, button);
    return;
  } finally {
    turn.end();
  }
  const main = page.getElementById("main");
  if (!main) return location.reload();
  // Somebody may type elsewhere meanwhile.
  const isElsewhere = document.activeElement.form && document.activeElement.form !== form && document.activeElement.matches("input, textarea");
  replace(document.getElementById("main"), main, { form, body });
  if (main.querySelector("[role=alert]")) buzz(REFUSED);
  const same = button?.value && main.querySelector(`button[name="${button.name}"][value="${CSS.escape(button.value)}"]`);
  const next = main.querySelector("[role=alert] button") ?? (form.querySelector("#ad") && main.querySelector("#ad"))
    ?? same ?? (number && main.querySelector(`#${number} button`));
  if (!isElsewhere) (next || main).focus();
});

// Suggestions while somebody types: the list of the page that answers without a script.
let asked;

function suggestions(form) { return form.querySelector(".suggest"); }

document.addEventListener("input", async ({ target }) => {
  const form = target.closest("[data-suggest]");
  if (!form) return;
  asked?.abort();
  asked = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  if (!target.value.trim()) return suggestions(form)?.remove();
  try {
    const answer = await fetch(`${form.dataset.suggest}?${query}`, { signal: asked.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    suggestions(form)?.remove();
    const found = page.getElementById("sg");
    if (found) form.append(document.adoptNode(found));
  } catch {
    // A newer word is asked for, or there is no connection: the word can be added as it is.
  }
});

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("[data-suggest]");
  if (!form) return;
  if (event.key === "Escape") {
    suggestions(form)?.remove();
    return form.querySelector("#ad").focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [form.querySelector("#ad"), ...form.querySelectorAll(".suggest button")];
  stops[stops.indexOf(document.activeElement) + step]?.focus();
  event.preventDefault();
});
