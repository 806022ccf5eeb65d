// A diary without a network: foods that were eaten before are found, and what is logged waits in the browser.
import { keep, sync, waiting } from "./meals.js";
import { isChanged } from "./renewal.js";

const RETRY = 5000; // ms
const PATIENCE = 8000; // ms: a phone at the edge of a network waits for ever
const AWAY = [502, 503, 504]; // of a proxy that finds no daemon
const SHOWN = 8;
const LOGS = ["/today/add", "/today/quick"];
const place = document.getElementById("away");

export const isKept = isSecureContext && "serviceWorker" in navigator && place !== null;

// Throws if nobody answers, or only a proxy.
export async function ask(address, options = {}) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE), ...options });
  if (AWAY.includes(answer.status)) throw new Error(`status ${answer.status}`);
  return answer;
}

// Sends a form that logs something; without a network its entry waits. False for other forms.
export function log(form, button, isMealChosen) {
  const address = new URL(button?.formAction ?? form.action);
  if (!isKept || form.method !== "post" || !LOGS.includes(address.pathname)) return false;
  const fields = new FormData(form);
  fields.set("id", crypto.randomUUID());
  ask(address, { method: "post", body: new URLSearchParams(fields) }).then((answer) => {
    // The page with the reason; what is refused once has changed nothing.
    if (answer.redirected) location.assign(answer.url);
    else form.submit();
  }, async () => {
    await keep(entryOf(fields, isMealChosen));
    location.assign("/today");
  });
  return true;
}

function entryOf(fields, isMealChosen) {
  const text = (name) => fields.get(name)?.trim() || undefined;
  const number = (name) => text(name) && Number(text(name).replace(",", "."));
  const food = text("food") && JSON.parse(text("food"));
  const quick = food ? undefined : {
    calories: number("calories"), name: text("name") ?? text("unnamed"), protein: number("protein"), carbs: number("carbs"), fat: number("fat"),
  };
  if (food && text("name")) food.name = text("name");
  // The page may be of an earlier day: an entry of "today" is of the day on which it was made.
  const day = text("day") === place.dataset.today ? undefined : text("day");
  return {
    id: text("id"), person: place.dataset.person, name: food?.name ?? quick.name, food, quick, portion: text("portion"),
    meal: isMealChosen ? text("meal") : undefined, day, at: new Date().toISOString(),
  };
}

// Shows foods of the person that match words, with the day on which each was eaten last, unless other words are wanted by then.
export async function find(text, isWanted) {
  const answer = await ask(`/v1/people/${encodeURIComponent(place.dataset.person)}/foods`);
  const fold = (words) => ` ${words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()}`;
  const words = fold(text).split(/\s+/).filter(Boolean);
  const found = (await answer.json()).items.filter(({ food }) => words.every((word) => fold(`${food.name} ${food.brand ?? ""}`).includes(` ${word}`)));
  if (!isWanted()) return;
  const rows = found.slice(0, SHOWN).map(rowOf);
  const results = document.getElementById("results");
  results.replaceChildren(...rows);
  results.dataset.q = text;
  await tell();
}

function rowOf({ food, serving, day }) {
  const row = document.getElementById("keptfood").content.firstElementChild.cloneNode(true);
  const facts = [food.brand, day && new Date(`${day}T12:00`).toLocaleDateString(document.documentElement.lang)];
  row.querySelector(".item__name").textContent = food.name;
  row.querySelector(".facts").textContent = facts.filter(Boolean).join(", ");
  row.querySelector("[name=food]").value = JSON.stringify(food);
  row.querySelector("[name=portion]").value = serving.sizeLabel;
  row.querySelector("b").textContent = Math.round(food.calories * serving.multiplier);
  for (const named of row.querySelectorAll("[aria-label]")) named.ariaLabel += ` ${food.name}`;
  return row;
}

// Says of when the page is, and what waits.
async function tell() {
  if (!isKept) return;
  const all = await waiting();
  place.hidden = false;
  place.querySelector("time").textContent = new Date(place.dataset.made).toLocaleString(document.documentElement.lang);
  place.querySelector("ul").replaceChildren(...all.map(({ name, portion }) => {
    return Object.assign(document.createElement("li"), { textContent: [name, portion].filter(Boolean).join(", ") });
  }));
  for (const button of document.querySelectorAll("[data-reuse]")) button.disabled = true;
}

async function send() {
  if (!localStorage.getItem("meals") && place.hidden) return;
  try {
    const { sent, refused } = await sync();
    if (refused.length > 0) sessionStorage.setItem("notlogged", refused.join("; "));
    if (sent === 0) await ask("/healthz");
    // What somebody types stays: the page is opened again when that is sent.
    if (isChanged(document.getElementById("main"))) place.hidden = true;
    else location.reload();
  } catch {
    await tell();
  }
}

function tellRefused() {
  const notice = document.getElementById("notlogged");
  const words = sessionStorage.getItem("notlogged");
  if (!notice || !words) return;
  notice.querySelector("b").textContent = words;
  notice.hidden = false;
  sessionStorage.removeItem("notlogged");
}

if (isKept) {
  const files = () => performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("/static/"));
  const foods = `/v1/people/${encodeURIComponent(place.dataset.person)}/foods`;
  // Kept at each visit, so that both pages and the foods are there when the network is not.
  const keepAll = () => { for (const file of ["/today", "/today/add", foods, ...files()]) fetch(file).catch(() => {}); };
  if (navigator.serviceWorker.controller) fetch(foods).catch(() => {});
  else navigator.serviceWorker.addEventListener("controllerchange", keepAll, { once: true });
  navigator.serviceWorker.register("/list-worker.js", { scope: "/today" });
  tellRefused();
  // A kept page does not say so itself.
  ask("/healthz").then(send, tell);
  addEventListener("online", send);
  addEventListener("offline", tell);
  setInterval(send, RETRY);
}
