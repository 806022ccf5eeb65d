// Menus without a network: the pages that say so are kept, and the menus to which they lead. A kept page says how old it is.
const place = document.getElementById("kept");
const MOST = 12; // menus that a page fetches in advance

function age(made) {
  const minutes = Math.round((Date.now() - made) / 60_000);
  const [number, unit] = minutes < 90 ? [minutes, "minute"] : minutes < 36 * 60 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
  return new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" }).format(-number, unit);
}

async function keepMenus() {
  // What is shown to staff, and the menu for each person.
  const links = document.querySelectorAll("a[data-card], .segfor a");
  const cards = [...links].map(({ pathname, search }) => pathname + search);
  const menus = [...document.querySelectorAll("a[data-menu]")].map(({ pathname }) => pathname).concat(cards);
  for (const menu of [...new Set(menus)].slice(0, MOST)) {
    if (!await caches.match(menu, { ignoreVary: true })) await fetch(menu).catch(() => {});
  }
}

if (place && isSecureContext && "serviceWorker" in navigator) {
  const files = () => performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => new URL(name).origin === location.origin);
  // The first visit came past the worker.
  const keepAll = async () => {
    await Promise.all([location.href, ...files()].map((file) => fetch(file).catch(() => {})));
    keepMenus();
  };
  if (navigator.serviceWorker.controller) keepMenus();
  else navigator.serviceWorker.addEventListener("controllerchange", keepAll, { once: true });
  navigator.serviceWorker.register("/list-worker.js", { scope: "/" });
  fetch("/healthz").catch(() => {
    const made = new Date(place.dataset.made);
    place.querySelector("time").textContent = `${age(made)}, ${made.toLocaleString(document.documentElement.lang)}`;
    place.hidden = false;
  });
}
