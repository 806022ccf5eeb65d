// Forms that a page sends: without a network the page stays with what was typed, and says so beside the form.
const PATIENCE = 8000; // ms: a phone at the edge of a network waits for ever
const AWAY = [502, 503, 504]; // of a proxy that finds no daemon
const asking = new WeakSet();
const passed = new WeakSet();

export function unsent(form, button, isKept) {
  document.querySelector(".unsent")?.remove();
  const notice = document.getElementById(isKept ? "keptform" : "unsentform").content.firstElementChild.cloneNode(true);
  const place = button?.isConnected ? button : form;
  (form.contains(place) ? form : place).before(notice);
  notice.scrollIntoView({ block: "nearest" });
}

// What is added to a list from another page waits there.
async function keep(form, button) {
  const fields = new FormData(form, button);
  const list = Number(fields.get("list"));
  if (new URL(form.action).pathname !== "/list/add" || !list || !isSecureContext) return false;
  const name = button?.closest("li")?.querySelector(".item__name, a") ?? document.querySelector("h1");
  const text = fields.get("gtin") || fields.get("text") || name.textContent;
  const queue = await import("./queue.js");
  await queue.keep({ list, action: "add", text: text.trim() });
  return true;
}

addEventListener("submit", async (event) => {
  const { target: form, submitter: button } = event;
  const method = button?.hasAttribute("formmethod") ? button.formMethod : form.method;
  if (event.defaultPrevented || method !== "post" || passed.delete(form)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (asking.has(form)) return;
  asking.add(form);
  try {
    const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    if (AWAY.includes(answer.status)) throw new Error(`status ${answer.status}`);
    passed.add(form);
    document.querySelector(".unsent")?.remove();
    form.requestSubmit(button);
  } catch {
    unsent(form, button, await keep(form, button));
  } finally {
    asking.delete(form);
  }
});
