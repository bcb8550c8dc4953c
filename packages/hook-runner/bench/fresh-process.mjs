import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MEASURE = new URL("measure.mjs", import.meta.url).href;

/**
 * Runs one measurement in a separate process, so that no case is affected by what V8 optimised for
 * another.
 *
 * @throws when it fails, with its output
 */
export function measureInFreshProcess(
  name,
  { contender = "hook-runner", batches, entry, script = MEASURE },
) {
  const args = [
    fileURLToPath(script),
    name,
    contender,
    String(batches),
    ...(entry === undefined ? [] : [entry]),
  ];
  const run = spawnSync(process.execPath, [...process.execArgv, ...args], { encoding: "utf8" });
  if (run.status !== 0)
    throw new Error(`measuring "${name}" of ${contender} failed:\n${run.stderr}`);
  return JSON.parse(run.stdout);
}

/** Returns the median by ratio, and the spread. */
export function summarise(measurements) {
  const sorted = measurements.toSorted((a, b) => a.ratio - b.ratio);
  const median = sorted[Math.floor(sorted.length / 2)];
  const n = sorted.reduce((sum, each) => sum + each.n, 0);
  return { ...median, n, best: sorted[0].ratio, worst: sorted.at(-1).ratio };
}
