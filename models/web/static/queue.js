// Changes of a list that wait for a network. The server does none of them twice.
import { kept } from "./kept.js";

const MOST = 200;
const changes = kept("list");

export const waiting = changes.all;

export async function keep(change) {
  const waits = { key: crypto.randomUUID(), ...change };
  await changes.add(waits);
  localStorage.setItem("waiting", "yes");
  return waits;
}

// The words that the server did not add, for the next page of a list; once.
export function refused() {
  const words = JSON.parse(localStorage.getItem("refused") ?? "[]");
  localStorage.removeItem("refused");
  return words;
}

function refuse(some) {
  const words = some.map(({ text }) => text).filter(Boolean);
  if (words.length > 0) localStorage.setItem("refused", JSON.stringify([...refused(), ...words]));
}

// Sends what waits, in its order; gives how many changes. Throws without a network: everything waits on.
export function sync() {
  return navigator.locks.request("list", async () => {
    let [sent, most] = [0, MOST];
    for (let all = await waiting(); all.length > 0; all = await waiting()) {
      const { list } = all[0];
      const some = all.filter((change) => change.list === list).slice(0, most);
      const body = JSON.stringify(some.map(({ key, action, text, entry, of }) => ({ key, action, text, entry, of })));
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(`/v1/lists/${list}/changes`, { method: "post", headers, body });
      if (answer.status === 400 && some.length > 1) {
        most = 1; // One of them is refused: the others are not.
        continue;
      }
      // A list that is gone, or that the person may not open, takes its changes with it.
      if (!answer.ok && ![400, 404].includes(answer.status)) throw new Error(`status ${answer.status}`);
      if (!answer.ok) refuse(some);
      await changes.remove(some.map(({ number }) => number));
      sent += some.length;
    }
    localStorage.removeItem("waiting");
    return sent;
  });
}
