// A list without a network: changes are shown at once, wait in the browser, and are sent when the server answers again.
import { keep, refused, sync, waiting } from "./queue.js";
import { replace } from "./renewal.js";

const RETRY = 5000; // ms
const ACTIONS = { done: "complete", open: "open", remove: "remove" };
const isPossible = isSecureContext && "serviceWorker" in navigator;

// Forms whose answers are not here yet, and how many there were: a page that was asked for before an answer came is older than it.
let [inFlight, turns] = [0, 0];
export const turn = { begin() { inFlight += 1; turns += 1; }, end() { inFlight -= 1; turns += 1; } };
let isOld = false;

// Keeps a page that came as the answer to a form, so that the list without a network is the newest one.
export async function remember(answer, text) {
  const { pathname } = new URL(answer.url);
  if (!isPossible || pathname !== "/list") return;
  const { headers } = answer;
  const page = new URL(answer.url);
  for (const name of ["undone", "trip"]) page.searchParams.delete(name);
  page.hash = "";
  await (await caches.open("list")).put(page.href, new Response(text, { headers }));
}

// Keeps the change of a form whose fields could not be sent; false if it has to be sent now or never.
export async function keepChange(form, button, fields) {
  const change = isPossible && changeOf(form, button, fields);
  if (!change) return false;
  show(await keep(change));
  await tell();
  return true;
}

function changeOf(form, button, fields) {
  const list = Number(fields.get("list"));
  if (form.matches(".addline")) {
    const name = button?.closest(".suggest") && button.name === "product" && button.querySelector("span").firstChild.textContent;
    const text = (button?.name === "gtin" && button.value) || name || fields.get("text");
    // Somebody may type the next word meanwhile.
    if (form.elements.text.value === fields.get("text")) {
      form.reset();
      form.querySelector(".suggest")?.remove();
    }
    return { list, action: "add", text: text.trim() };
  }
  const action = ACTIONS[button?.name];
  if (!action) return null;
  const isNew = button.value.startsWith("new-");
  return { list, action, ...(isNew ? { of: button.value.slice(4) } : { entry: Number(button.value) }) };
}

function show({ action, key, text, entry, of }) {
  const row = action === "add" ? newRow(key, text) : document.getElementById(`e${entry ?? `new-${of}`}`);
  if (!row) return;
  if (action === "remove") return row.remove();
  const tick = row.querySelector(".tick");
  row.classList.toggle("lrow--done", action === "complete");
  tick.name = action === "complete" ? "open" : "done";
  if (action !== "add") tick.focus();
}

function newRow(key, text) {
  const known = document.getElementById(`enew-${key}`);
  if (known) return known;
  const row = document.getElementById("newrow").content.firstElementChild.cloneNode(true);
  row.id = `enew-${key}`;
  row.querySelector(".tick").value = `new-${key}`;
  row.querySelector(".tick").setAttribute("aria-label", text);
  row.querySelector(".item__name").textContent = text;
  document.querySelector("#tobuy").append(row);
  return row;
}

// Says that there is no network and how many changes wait; rows get a button that removes them.
async function tell() {
  const notice = document.getElementById("offline");
  const { length } = await waiting();
  if (!notice) return;
  notice.hidden = false;
  notice.querySelector("b").textContent = length;
  const model = document.getElementById("newrow").content.querySelector("[name=remove]");
  for (const row of document.querySelectorAll(".lrow")) {
    const place = row.querySelector(".price");
    const button = place.querySelector("[name=remove]") ?? model.cloneNode(true);
    button.value = row.querySelector(".tick").value;
    button.setAttribute("aria-label", `${model.getAttribute("aria-label")}: ${row.querySelector(".item__name").textContent}`);
    place.replaceChildren(button);
  }
}

// Says what the server did not add.
function tellRefused() {
  const notice = document.getElementById("refused");
  if (!notice || !localStorage.getItem("refused")) return;
  notice.querySelector("b").textContent = refused().join(", ");
  notice.hidden = false;
}

async function send() {
  if (!localStorage.getItem("waiting") && !isOld && document.getElementById("offline")?.hidden !== false) return;
  try {
    const sent = await sync();
    isOld ||= sent > 0 || !document.getElementById("offline").hidden;
    if (isOld) await refresh();
    tellRefused();
  } catch {
    await tell();
  }
}

// What a person types, or is told about it, is not taken away: the page is renewed when nothing of it is under way.
async function refresh() {
  const before = turns;
  const answer = await fetch(location.href);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const main = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  const old = document.getElementById("main");
  document.getElementById("offline").hidden = true;
  if (!main || inFlight > 0 || turns !== before || old.querySelector("[role=alert]:not([hidden])")) return;
  replace(old, main);
  isOld = false;
  (await waiting()).forEach(show);
}

if (isPossible && document.getElementById("offline")) {
  const files = () => performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("/static/"));
  // The first visit came past the worker.
  const keepAll = () => { for (const file of [location.href, ...files()]) fetch(file).catch(() => {}); };
  if (!navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", keepAll, { once: true });
  navigator.serviceWorker.register("/list-worker.js", { scope: "/list" });
  (localStorage.getItem("waiting") ? waiting() : Promise.resolve([])).then((all) => all.forEach(show)).then(send);
  tellRefused();
  addEventListener("online", send);
  addEventListener("offline", tell);
  setInterval(send, RETRY);
}
