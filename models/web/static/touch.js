// A phone answers the finger: once for what is added, twice for what is refused. Not where motion is reduced.
export const ADDED = [15];
export const REFUSED = [40, 60, 40];

export function buzz(pattern) {
  // Without a touch of this page browsers refuse it, and say so on their console.
  if (!navigator.userActivation?.hasBeenActive || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  navigator.vibrate?.(pattern);
}

addEventListener("invalid", () => buzz(REFUSED), true);
const ADDS = /(\/add|\/quick|\/reuse|^\/prices|^\/goods)$/;
addEventListener("submit", (event) => { if (ADDS.test(event.target.getAttribute("action"))) buzz(ADDED); });

// What waits for a network is sent from any page, so that nothing waits when somebody else takes the browser.
for (const [what, here, file] of [["waiting", "offline", "queue"], ["meals", "away", "meals"]]) {
  if (localStorage.getItem(what) && !document.getElementById(here)) {
    import(`./${file}.js`).then(({ sync }) => sync()).catch(() => {}); // Without a network it waits on.
  }
}
