// Copies a database file to a place, and stands still in the middle of it until it is killed.
import { writeSync } from "node:fs";
import { databasePlace } from "../../src/engine/database-url.ts";
import { copyDatabase } from "../../src/upkeep/copy.ts";

const [file, given] = process.argv.slice(2);
const place = JSON.parse(given);
let transactions = 0;

await copyDatabase({
  from: { engine: "sqlite", file },
  to: "url" in place ? databasePlace(place.url) : { engine: "sqlite", file: place.file },
  batch: 1,
  onProgress() {
    transactions += 1;
    if (transactions < 5) return;
    writeSync(1, "copied\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
