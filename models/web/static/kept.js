// Things that wait for a network, in a database of the browser that is named after them, in the order in which they came.
export function kept(name) {
  async function use(mode, action) {
    const database = await new Promise((done, fail) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("changes", { keyPath: "number", autoIncrement: true });
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });
    try {
      return await new Promise((done, fail) => {
        const transaction = database.transaction("changes", mode);
        const request = action(transaction.objectStore("changes"));
        transaction.oncomplete = () => done(request?.result);
        transaction.onabort = () => fail(transaction.error);
      });
    } finally {
      database.close();
    }
  }
  return {
    all: () => use("readonly", (store) => store.getAll()),
    add: (thing) => use("readwrite", (store) => store.add(thing)),
    remove: (numbers) => use("readwrite", (store) => { for (const number of numbers) store.delete(number); }),
  };
}
