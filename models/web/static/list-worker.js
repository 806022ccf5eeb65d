// Shows lists, days and menus without a network: pages that say so, their own files and the foods of the diary are kept, and
// nothing else.
const CACHE = "list";
const PAGES = ["/list", "/today", "/today/add"];
const MENUS = ["/", "/scan", "/history"];
// A menu for all, and its views for one person; what is shown to staff, a card for each person.
const MENU = /^\/photos\/[^/?]+$/;
const VIEW = /^\/photos\/[^/?]+\?for=[^&]*$/;
const CARD = /^\/photos\/[^/?]+\/staff(\?for=[^&]*)?$/;
const PICTURE = /^\/v1\/outcomes\/[^/]+\/image(\?|$)/;
const MOST = 60; // of each of these kinds
// The page that stands for one that is not kept, in a cache of its own: it holds nothing of a person.
const OFFLINE = "/offline";
const OFFLINE_FILES = [OFFLINE, "/static/app.css", "/static/dark.css", "/static/kept-list.js", "/static/forms.js", "/static/touch.js"];
// What an address says beside which page it is: what a form did. Without a network a script chooses the meal and searches.
const DONE = ["undone", "trip"];
const CHOSEN = ["meal", "q"];
const FOODS = /^\/v1\/people\/[^/]+\/foods$/;
const PATIENCE = 8000; // ms: a phone at the edge of a network waits for ever
const AWAY = [502, 503, 504]; // of a proxy that finds no daemon

const keepOffline = async () => (await caches.open("offline")).addAll(OFFLINE_FILES);
const showOffline = async () => await caches.match(OFFLINE, { ignoreVary: true }) ?? Response.error();

// The address without what is beside it.
function pageOf(address, beside = DONE) {
  const page = new URL(address);
  for (const name of beside) page.searchParams.delete(name);
  page.hash = "";
  return page.href;
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keepOffline().catch(() => {}));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname, origin, search } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  const isCard = CARD.test(pathname);
  const isPhoto = MENU.test(pathname);
  const isMenu = MENUS.includes(pathname) || isPhoto || isCard;
  const isPrivate = PAGES.includes(pathname) || FOODS.test(pathname) || isMenu;
  // A picture's bytes never change.
  if (PICTURE.test(pathname)) return event.respondWith(pictureOf(event.request));
  // A menu of which somebody opened a dish is the same menu, and a search is not kept.
  const isView = isMenu && !/^(\?saved=yes)?$/.test(search) && !((isCard || isPhoto) && /^\?for=[^&]*$/.test(search));
  if (isPrivate || pathname.startsWith("/static/")) event.respondWith(answer(event.request, isPrivate, isMenu, isView));
  else if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(showOffline));
  // In the reader's language of now, and of this version.
  if (event.request.mode === "navigate" && isPrivate) event.waitUntil(keepOffline().catch(() => {}));
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
  const all = (await cache.keys()).filter(({ url }) => {
    const { pathname, search } = new URL(url);
    return kind.test(pathname + search);
  });
  for (const old of all.slice(0, Math.max(0, all.length - MOST))) await cache.delete(old);
}

async function answer(request, isPrivate, isMenu, isView) {
  const cache = await caches.open(CACHE);
  let fresh;
  try {
    fresh = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (AWAY.includes(fresh.status)) throw new Error(`status ${fresh.status}`);
  } catch (error) {
    const kept = await other(cache, request.url);
    if (kept) return kept;
    if (request.mode === "navigate") return showOffline();
    throw error;
  }
  const keeps = fresh.ok && !fresh.redirected && !isView && (!isPrivate || await isKept(fresh.clone()));
  if (keeps) {
    await cache.put(isPrivate ? pageOf(request.url) : request.url, fresh.clone());
    for (const kind of [MENU, VIEW, CARD]) await forget(cache, kind);
  } else if (fresh.status === 404) await cache.delete(pageOf(request.url), { ignoreSearch: isMenu });
  // Another person, or nobody, uses the browser now. A photo leads elsewhere by itself, such as to its receipt.
  else if (isPrivate && ((fresh.type === "opaqueredirect" && !isMenu) || [401, 403].includes(fresh.status))) await caches.delete(CACHE);
  return fresh;
}

// The kept view of the same page: of the same list, day or person, never of another. An address without any asks for the newest.
async function other(cache, address) {
  const { pathname, searchParams } = new URL(address);
  if (pathname.startsWith("/static/")) return caches.match(address, { ignoreVary: true });
  const isAdding = pathname === "/today/add";
  const kept = await cache.match(pageOf(address), { ignoreVary: true })
    ?? (isAdding && await cache.match(pageOf(address, [...DONE, ...CHOSEN]), { ignoreVary: true }));
  if (kept || pathname !== "/list" || searchParams.has("list")) return kept;
  const newest = (await cache.keys()).findLast(({ url }) => new URL(url).pathname === pathname);
  return newest && cache.match(newest, { ignoreVary: true });
}

// A page says itself whether it may be kept: a diary with a PIN may not, nor that of another member.
async function isKept(page) {
  return page.headers.get("Content-Type")?.includes("json") || /id="(offline|away|kept)"/.test(await page.text());
}
