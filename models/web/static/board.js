// Board: every line of the session's stream renews the parts of the page that a photo changes.
const board = document.getElementById("board");
let isAsking = false;
let isOld = false;

async function renew() {
  if (isAsking) {
    isOld = true;
    return;
  }
  isAsking = true;
  do {
    isOld = false;
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) break;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const next = page.querySelector(`[data-live="${part.dataset.live}"]`);
      if (next && next.innerHTML !== part.innerHTML) part.replaceChildren(...next.childNodes);
    }
  } while (isOld);
  isAsking = false;
}

// A frame and its game line come together: one renewal for both.
let waiting;
function later() {
  clearTimeout(waiting);
  waiting = setTimeout(renew, 60);
}

const source = new EventSource(board.dataset.stream);
source.addEventListener("frame", later);
source.addEventListener("game", later);
source.addEventListener("open", () => { document.getElementById("live").hidden = false; });
source.addEventListener("error", () => { document.getElementById("live").hidden = true; });
addEventListener("pagehide", () => source.close());

// Hint and reset keep the place on the page.
for (const form of document.querySelectorAll("form[data-play]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await fetch(form.action, { method: "POST" });
    if (answer.ok) later();
    else form.submit();
  });
}
