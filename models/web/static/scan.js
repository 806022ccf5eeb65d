// Scan: send as soon as a photo is chosen, dropped or pasted.
import { unsent } from "./forms.js";

const form = document.getElementById("scan");
const note = document.getElementById("upload");
const zone = document.getElementById("drop");

async function send(files) {
  const photos = [...files].filter((file) => file.type.startsWith("image/") || file.type === "");
  if (photos.length === 0) return;
  note.textContent = form.dataset.sending;
  const body = new FormData();
  for (const file of photos) body.append("photo", file, file.name || "photo");
  const answer = await fetch("/v1/images", { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => undefined);
  if (!answer) {
    note.textContent = "";
    return unsent(form);
  }
  const result = await answer.json();
  if (!answer.ok) {
    note.textContent = result.detail;
    return;
  }
  const ids = result.images.map(({ id }) => id);
  location.assign(ids.length === 1 ? `/photos/${ids[0]}` : `/scan?sent=${ids.join(",")}`);
}

for (const input of form.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => send(input.files));
}
for (const kind of ["dragover", "drop"]) zone.addEventListener(kind, (event) => event.preventDefault());
zone.addEventListener("drop", (event) => send(event.dataTransfer.files));
addEventListener("paste", (event) => send(event.clipboardData.files));
