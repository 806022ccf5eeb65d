// Entries of a diary that wait for a network. Each has its own id, so the server stores none of them twice.
import { kept } from "./kept.js";

const STORED = [200, 201, 409]; // 409: an earlier try arrived, its answer did not.
const REFUSED = [400, 404, 422];
const entries = kept("diary");

export const waiting = entries.all;

export async function keep(entry) {
  await entries.add(entry);
  localStorage.setItem("meals", "yes");
}

// Sends what waits; gives how many entries, and why some were not stored. Throws without a network: they wait on.
export function sync() {
  return navigator.locks.request("diary", async () => {
    let sent = 0;
    const refused = [];
    for (const { number, person, name, ...body } of await entries.all()) {
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(`/v1/people/${encodeURIComponent(person)}/entries`, { method: "post", headers, body: JSON.stringify(body) });
      if (REFUSED.includes(answer.status)) refused.push(`${name}: ${(await answer.json()).detail}`);
      else if (!STORED.includes(answer.status)) throw new Error(`status ${answer.status}`);
      await entries.remove([number]);
      sent += 1;
    }
    localStorage.removeItem("meals");
    return { sent, refused };
  });
}
