// Changes of a list that wait for a network, in the browser's database. The server does none of them twice.
const MOST = 200;

function database() {
  return new Promise((done, fail) => {
    const request = indexedDB.open("list", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("changes", { keyPath: "number", autoIncrement: true });
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

async function changes(mode, use) {
  const opened = await database();
  try {
    return await new Promise((done, fail) => {
      const transaction = opened.transaction("changes", mode);
      const request = use(transaction.objectStore("changes"));
      transaction.oncomplete = () => done(request?.result);
      transaction.onabort = () => fail(transaction.error);
    });
  } finally {
    opened.close();
  }
}

export function waiting() { return changes("readonly", (all) => all.getAll()); }

export async function keep(change) {
  const kept = { key: crypto.randomUUID(), ...change };
  await changes("readwrite", (all) => all.add(kept));
  localStorage.setItem("waiting", "yes");
  return kept;
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
      await changes("readwrite", (store) => { for (const { number } of some) store.delete(number); });
      sent += some.length;
    }
    localStorage.removeItem("waiting");
    return sent;
  });
}
