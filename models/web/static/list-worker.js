// Shows a list without a network: the page of the list and its own files are kept, and nothing else.
const CACHE = "list";
const PATIENCE = 8000; // ms: a phone at the edge of a network waits for ever

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (pathname === "/list" || pathname.startsWith("/static/")) event.respondWith(answer(event.request, pathname === "/list"));
});

async function answer(request, isPage) {
  const cache = await caches.open(CACHE);
  let fresh;
  try {
    fresh = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    const kept = await cache.match(request.url, { ignoreVary: true })
      ?? await cache.match(request.url, { ignoreVary: true, ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
  if (fresh.ok && !fresh.redirected) await cache.put(request.url, fresh.clone());
  // Another person, or nobody, uses the browser now.
  else if (isPage && (fresh.type === "opaqueredirect" || [401, 403].includes(fresh.status))) await caches.delete(CACHE);
  return fresh;
}
