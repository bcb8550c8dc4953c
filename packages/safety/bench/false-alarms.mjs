import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scanLeaks } from "../dist/index.js";

/**
 * Files whose leak findings are counted: source of all installed packages, which contains no
 * secrets.
 */
const SOURCE = /\.(?:[cm]?[jt]s|c|h|md|mdx|json|sql|py|sh)$/;
const root = new URL("../../../node_modules/.pnpm/", import.meta.url).pathname;
const recorded = new URL("false-alarms.json", import.meta.url);

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile() && SOURCE.test(entry.name)) yield path;
  }
}

let bytes = 0;
let files = 0;
const alarms = {};
for (const path of filesIn(root)) {
  const text = readFileSync(path, "utf8");
  bytes += Buffer.byteLength(text);
  files += 1;
  for (const { rule } of scanLeaks(text, { context: "output" }).findings) {
    alarms[rule] = (alarms[rule] ?? 0) + 1;
  }
}
/** Checksums look like keys and are only recorded (SAFE-019), so they are counted separately. */
const isChecksum = (rule) => rule.startsWith("high_entropy_hex_");
const sum = (entries) => entries.reduce((total, [, count]) => total + count, 0);
const megabytes = bytes / 1e6;
const all = Object.entries(alarms).sort(([a], [b]) => (a < b ? -1 : 1));
const result = {
  measured: new Date().toISOString().slice(0, 10),
  corpus: "source, documentation and data of all installed npm packages",
  files,
  megabytes: Math.round(megabytes * 10) / 10,
  alarms: Object.fromEntries(all),
  perMegabyte: Number((sum(all.filter(([rule]) => !isChecksum(rule))) / megabytes).toFixed(3)),
  checksumsPerMegabyte: Number(
    (sum(all.filter(([rule]) => isChecksum(rule))) / megabytes).toFixed(3),
  ),
};
console.log(JSON.stringify(result));
if (process.argv.includes("--record")) {
  writeFileSync(recorded, `${JSON.stringify(result, undefined, 2)}\n`);
}
