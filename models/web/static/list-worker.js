// Shows lists, days and menus without a network: pages that say so, their own files and the foods of the diary are kept, and
// nothing else.
const CACHE = "list";
const PAGES = ["/list", "/today", "/today/add"];
const MENUS = ["/", "/scan", "/history"];
const MENU = /^\/photos\/[^/]+$/;
// What is shown to staff, a card for each person: never another's in its place.
const CARD = /^\/photos\/[^/]+\/staff$/;
const PICTURE = /^\/v1\/outcomes\/[^/]+\/image$/;
const MOST = 60; // menus, cards of menus, and pictures of menus
const FOODS = /^\/v1\/people\/[^/]+\/foods$/;
const PATIENCE = 8000; // ms: a phone at the edge of a network waits for ever
const AWAY = [502, 503, 504]; // of a proxy that finds no daemon

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname, origin, search } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  const isCard = CARD.test(pathname);
  const isMenu = MENUS.includes(pathname) || MENU.test(pathname) || isCard;
  const isPrivate = PAGES.includes(pathname) || FOODS.test(pathname) || isMenu;
  // A picture's bytes never change.
  if (PICTURE.test(pathname)) return event.respondWith(pictureOf(event.request));
  // A menu of which somebody opened a dish is the same menu, and a search is not kept.
  const isView = isMenu && !/^(\?saved=yes)?$/.test(search) && !(isCard && /^\?for=[^&]*$/.test(search));
  if (isPrivate || pathname.startsWith("/static/")) event.respondWith(answer(event.request, isPrivate, isMenu, isView));
});

async function pictureOf(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url, { ignoreVary: true });
  if (kept) return kept;
  const fresh = await fetch(request);
  // Only those of kept menus, whose page comes first.
  const menu = `/photos/${new URL(request.url).pathname.split("/")[3]}`;
  if (fresh.ok && await cache.match(menu, { ignoreVary: true })) {
    await cache.put(request.url, fresh.clone());
    await forget(cache, PICTURE);
  }
  return fresh;
}

// The oldest ones go.
async function forget(cache, kind) {
  const all = (await cache.keys()).filter(({ url }) => kind.test(new URL(url).pathname));
  for (const old of all.slice(0, Math.max(0, all.length - MOST))) await cache.delete(old);
}

async function answer(request, isPrivate, isMenu, isView) {
  const cache = await caches.open(CACHE);
  let fresh;
  try {
    fresh = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (AWAY.includes(fresh.status)) throw new Error(`status ${fresh.status}`);
  } catch (error) {
    const kept = await cache.match(request.url, { ignoreVary: true }) ?? await other(cache, request.url);
    if (kept) return kept;
    throw error;
  }
  const keeps = fresh.ok && !fresh.redirected && !isView && (!isPrivate || await isKept(fresh.clone()));
  if (keeps) {
    await cache.put(request.url, fresh.clone());
    await forget(cache, MENU);
    await forget(cache, CARD);
  } else if (fresh.status === 404) await cache.delete(request.url, { ignoreSearch: true });
  // Another person, or nobody, uses the browser now. A photo leads elsewhere by itself, such as to its receipt.
  else if (isPrivate && ((fresh.type === "opaqueredirect" && !isMenu) || [401, 403].includes(fresh.status))) await caches.delete(CACHE);
  return fresh;
}

// The kept view of the same page; of a card that of the same person, in the language of the menu.
async function other(cache, address) {
  const { pathname, searchParams } = new URL(address);
  if (!CARD.test(pathname)) return cache.match(address, { ignoreVary: true, ignoreSearch: true });
  const kept = (await cache.keys()).find(({ url }) => {
    const card = new URL(url);
    return card.pathname === pathname && card.searchParams.get("for") === searchParams.get("for");
  });
  return kept && cache.match(kept, { ignoreVary: true });
}

// A page says itself whether it may be kept: a diary with a PIN may not, nor that of another member.
async function isKept(page) {
  return page.headers.get("Content-Type")?.includes("json") || /id="(offline|away|kept)"/.test(await page.text());
}
