// Offline: lists the pages that are kept on this phone, the newest first.
const part = document.getElementById("keptpages");
const cache = await caches.open("list");

async function linkOf({ url }) {
  const page = await cache.match(url, { ignoreVary: true });
  if (!page?.headers.get("Content-Type")?.includes("html")) return [];
  const { pathname, search } = new URL(url);
  const { title } = new DOMParser().parseFromString(await page.text(), "text/html");
  const person = new URLSearchParams(search).get("for");
  const text = title.replace(/ – Tablesight$/, "") + (person ? `: ${person}` : "");
  const link = document.createElement("a");
  return [Object.assign(link, { href: pathname + search, className: "rowitem", textContent: text })];
}

const links = (await Promise.all((await cache.keys()).reverse().map(linkOf))).flat();
part.querySelector("ul").replaceChildren(...links.map((link) => {
  const row = document.createElement("li");
  row.append(link);
  return row;
}));
part.hidden = links.length === 0;
