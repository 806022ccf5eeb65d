// Enhancement of pages that work without it: upload, live progress, evidence, keys of the review.
const page = document.body.dataset.page;
const photo = document.body.dataset.photo;

function events(handlers) {
  const source = new EventSource("/v1/events");
  for (const [kind, handle] of Object.entries(handlers)) {
    source.addEventListener(kind, (event) => {
      const message = JSON.parse(event.data);
      handle(message.data);
    });
  }
  addEventListener("pagehide", () => source.close());
  return source;
}

// Scan: send as soon as a photo is chosen, dropped or pasted.
function scan() {
  const form = document.getElementById("scan");
  const note = document.getElementById("upload");
  const zone = document.getElementById("drop");

  async function send(files) {
    const photos = [...files].filter((file) => file.type.startsWith("image/") || file.type === "");
    if (photos.length === 0) return;
    note.textContent = form.dataset.sending;
    const body = new FormData();
    for (const file of photos) body.append("photo", file, file.name || "photo");
    const answer = await fetch("/v1/images", { method: "POST", body, headers: { Accept: "application/json" } });
    const result = await answer.json();
    if (!answer.ok) {
      note.textContent = result.detail;
      return;
    }
    location.assign(result.images.length === 1 ? `/photos/${result.images[0].id}` : "/history");
  }

  for (const input of form.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => send(input.files));
  }
  for (const kind of ["dragover", "drop"]) zone.addEventListener(kind, (event) => event.preventDefault());
  zone.addEventListener("drop", (event) => send(event.dataTransfer.files));
  addEventListener("paste", (event) => send(event.clipboardData.files));
}

// Progress: stages come without numbers, the end comes as an event that a restart does not lose.
function progress() {
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
}

// Result: the box of the dish under the pointer or focus lights up; a changed verdict is announced.
function result() {
  for (const dish of document.querySelectorAll("[data-box]")) {
    const box = document.getElementById(dish.dataset.box);
    if (!box) continue;
    const light = (on) => () => box.classList.toggle("is-lit", on);
    dish.addEventListener("pointerenter", light(true));
    dish.addEventListener("pointerleave", light(false));
    dish.addEventListener("focusin", light(true));
    dish.addEventListener("focusout", light(false));
  }
  events({ verdictChanged(data) { if (data.id === photo) document.getElementById("changed").hidden = false; } });
}

// Review: one key an answer.
function review() {
  const by = document.getElementById("by");
  for (const field of document.querySelectorAll("[data-reviewer]")) {
    field.form.addEventListener("submit", () => { field.value = by ? by.value : ""; });
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "e") {
      event.preventDefault();
      document.getElementById("value")?.focus();
      return;
    }
    const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (target) {
      event.preventDefault();
      target.click();
    }
  });
}

({ scan, progress, result, review })[page]?.();
