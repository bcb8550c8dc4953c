// Fails when a dispatch has become a fifth slower, in units of the plain loop, than recorded.json says.
// usage: node bench/check.mjs [case ...]          compares; status 1 if a case stays too slow
//        node bench/check.mjs --record            measures on this machine and writes recorded.json
// --recorded URL compares with another file, --entry URL measures another build of the package, and
// --measure URL runs another script instead of measure.mjs.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { exit, version } from "node:process";
import { parseArgs } from "node:util";
import { CASES, caseNamed, ISOLATED, RIVALS, SWITCHES, VARIANTS } from "./cases.mjs";
import { measureInFreshProcess, summarise } from "./fresh-process.mjs";

const ALLOWED = 1.2;
/** A machine that is busy while it records must not make the check blind. */
const MAX_NOISE = 1.25;
const RECORDING_PROCESSES = 9;
const BATCHES = 60;
/** A busy machine is given this many chances to show that the code is as quick as it was. */
const TRIES = 6;
/** No case is tried again after that, so that the whole check ends within a minute. */
const TRYING_MS = 35_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: "boolean", default: false },
    recorded: { type: "string", default: new URL("recorded.json", import.meta.url).href },
    entry: { type: "string" },
    measure: { type: "string" },
  },
});
const recordedFile = new URL(values.recorded);
const every = [...CASES, ...VARIANTS, ...ISOLATED, ...RIVALS, ...SWITCHES].map(({ name }) => name);
const cases = positionals.length > 0 ? positionals : every;

if (values.record) record();
else check();

function measure(name) {
  const { entry, measure: script } = values;
  return measureInFreshProcess(name, { batches: BATCHES, entry, script });
}

function record() {
  const ratios = {};
  const started = new Date().toISOString().slice(0, 10);
  for (const name of cases) {
    const measured = Array.from({ length: RECORDING_PROCESSES }, () => measure(name));
    const { ratio, best, worst, n } = summarise(measured);
    // Spread between two processes that run the same code.
    const noise = round(Math.min(worst / ratio, MAX_NOISE));
    const { goal } = caseNamed(name);
    ratios[name] = { goal, ratio: round(ratio), best: round(best), noise, n };
    console.log(`${name}: ${ratios[name].ratio} (noise ${noise})`);
  }
  const machine = `${cpus()[0]?.model}, ${cpus().length} cores, Node ${version}`;
  const results = { recorded: started, machine, processes: RECORDING_PROCESSES, ratios };
  writeFileSync(recordedFile, `${JSON.stringify(results, null, 2)}\n`);
}

function check() {
  const { ratios } = JSON.parse(readFileSync(recordedFile, "utf8"));
  const started = performance.now();
  const slower = [];
  for (const name of cases) {
    const recorded = ratios[name];
    if (recorded === undefined) {
      throw new Error(`"${name}" has no recorded ratio; run node bench/check.mjs --record`);
    }
    const limit = recorded.ratio * ALLOWED * recorded.noise;
    let best = Infinity;
    for (let tried = 0; tried < TRIES && best > limit; tried += 1) {
      if (tried > 0 && performance.now() - started > TRYING_MS) break;
      best = Math.min(best, measure(name).ratio);
    }
    const found = `${name}: ${round(best)}, recorded ${recorded.ratio}, allowed ${round(limit)}`;
    console.log(`${best > limit ? "SLOWER" : "ok    "} ${found}`);
    if (best > limit) slower.push(found);
  }
  if (slower.length === 0) return;
  console.error(
    `\nThe hook runner is slower than recorded in ${slower.length} of ${cases.length} cases. Find the ` +
      "change that did it, or record again with the reason in the commit.",
  );
  exit(1);
}

function round(value) {
  return Number(value.toPrecision(3));
}
