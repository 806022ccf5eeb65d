// Shows a list and a day without a network: their pages, their own files and the foods of the diary are kept, and nothing else.
const CACHE = "list";
const PAGES = ["/list", "/today", "/today/add"];
const FOODS = /^\/v1\/people\/[^/]+\/foods$/;
const PATIENCE = 8000; // ms: a phone at the edge of a network waits for ever
const AWAY = [502, 503, 504]; // of a proxy that finds no daemon

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  const isPrivate = PAGES.includes(pathname) || FOODS.test(pathname);
  if (isPrivate || pathname.startsWith("/static/")) event.respondWith(answer(event.request, isPrivate));
});

async function answer(request, isPrivate) {
  const cache = await caches.open(CACHE);
  let fresh;
  try {
    fresh = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (AWAY.includes(fresh.status)) throw new Error(`status ${fresh.status}`);
  } catch (error) {
    const kept = await cache.match(request.url, { ignoreVary: true })
      ?? await cache.match(request.url, { ignoreVary: true, ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
  if (fresh.ok && !fresh.redirected && (!isPrivate || await isKept(fresh.clone()))) await cache.put(request.url, fresh.clone());
  // Another person, or nobody, uses the browser now.
  else if (isPrivate && (fresh.type === "opaqueredirect" || [401, 403].includes(fresh.status))) await caches.delete(CACHE);
  return fresh;
}

// A page says itself whether it may be kept: a diary with a PIN may not, nor that of another member.
async function isKept(page) {
  return page.headers.get("Content-Type")?.includes("json") || /id="(offline|away)"/.test(await page.text());
}
