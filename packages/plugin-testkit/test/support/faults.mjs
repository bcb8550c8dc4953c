// Runs checks of the built test kit, one after another in this process, and prints what they found.
// usage: node faults.mjs '[["<plugin>", "<check>"], ...]'
import { runCheck } from "../../dist/conformance/checks.js";

const found = [];
for (const [fault, check] of JSON.parse(process.argv[2])) {
  const path = new URL(`../plugins/faults/${fault}`, import.meta.url).pathname;
  found.push(await runCheck(check, { path }));
}
console.log(JSON.stringify(found));
process.exit(0);
