// Prints "ready", waits for a line, then decides the approvals it was given, and prints those that it won.
import { once } from "node:events";
import { openStore } from "../../src/index.ts";

const [place, ids, by] = process.argv.slice(2);
const store = await openStore(JSON.parse(place));
console.log("ready");
await once(process.stdin, "end", process.stdin.resume());
const won = [];
for (const id of JSON.parse(ids)) {
  const settlement = { state: "allowed-once", by, via: "test" };
  if ((await store.decisions.approvals.decide(id, settlement)) !== undefined) won.push(id);
}
console.log(JSON.stringify(won));
await store.close();
