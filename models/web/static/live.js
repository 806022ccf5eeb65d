import { replace } from "./renewal.js";

// Parts of a page that follow a stream: they are renewed from the page's own address.
let isAsking = false;
let isOld = false;

export async function renew() {
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
      if (next && next.innerHTML !== part.innerHTML) replace(part, next);
    }
  } while (isOld);
  isAsking = false;
}

// A frame and its game line come together: one renewal for both.
let waiting;
export function later() {
  clearTimeout(waiting);
  waiting = setTimeout(renew, 60);
}

