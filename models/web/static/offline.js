// A list without a network: changes are shown at once, wait in the browser, and are sent when the server answers again.
import { keep, refused, sync, waiting } from "./queue.js";

const RETRY = 5000; // ms
const ACTIONS = { done: "complete", open: "open", remove: "remove" };
const isPossible = isSecureContext && "serviceWorker" in navigator;

// Keeps a page that came as the answer to a form, so that the list without a network is the newest one.
export async function remember(answer, text) {
  const { pathname } = new URL(answer.url);
  if (!isPossible || pathname !== "/list") return;
  const { headers } = answer;
  await (await caches.open("list")).put(answer.url.split("#")[0], new Response(text, { headers }));
}

// Keeps the change of a form that could not be sent; false if it has to be sent now or never.
export async function keepChange(form, button) {
  const change = isPossible && changeOf(form, button);
  if (!change) return false;
  show(await keep(change));
  await tell();
  return true;
}

function changeOf(form, button) {
  const fields = new FormData(form);
  const list = Number(fields.get("list"));
  if (form.matches(".addline")) {
    const name = button?.closest(".suggest") && button.name === "product" && button.querySelector("span").firstChild.textContent;
    const text = (button?.name === "gtin" && button.value) || name || fields.get("text");
    form.reset();
    form.querySelector(".suggest")?.remove();
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
  if (!localStorage.getItem("waiting") && document.getElementById("offline")?.hidden !== false) return;
  try {
    const sent = await sync();
    if (sent > 0 || !document.getElementById("offline").hidden) await refresh();
    tellRefused();
  } catch {
    await tell();
  }
}

async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const main = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (main) document.getElementById("main").replaceWith(document.adoptNode(main));
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
