// Cost of a dispatch, in units of the plain loop over the same handlers, for this package and others.
import { CASES, SWITCHES, VARIANTS } from "./cases.mjs";
import { CONTENDERS } from "./contenders.mjs";
import { measureInFreshProcess, summarise } from "./fresh-process.mjs";

const PROCESSES = 5;
const BATCHES = 100;
const OURS = "hook-runner";

/**
 * Minimum factor by which a runner must be slower than this package if it does its setup on every
 * dispatch.
 */
const BASELINES = { "filter and sort": 2, "timer and race": 15 };

function measure({ name }, contender) {
  const once = () => measureInFreshProcess(name, { contender, batches: BATCHES });
  const measurements = Array.from({ length: PROCESSES }, once);
  return measurements.includes(null) ? null : summarise(measurements);
}

function report(bench, metric, value, n, bounds) {
  const line = { package: "hook-runner", bench, metric, value, unit: "x", n, ...bounds };
  console.log(JSON.stringify(line));
}

function reportOurs(each, other) {
  const { goal } = each;
  const ours = measure(each, OURS);
  const bounds = goal === undefined ? { better: "lower" } : { goal, better: "lower" };
  report(each.name, `${OURS} to ${other}`, ours.ratio, ours.n, bounds);
  return ours;
}

for (const each of CASES) {
  const ours = reportOurs(each, "floor");
  for (const contender of Object.keys(CONTENDERS)) {
    if (contender === OURS) continue;
    const theirs = measure(each, contender);
    if (theirs === null) continue;
    report(each.name, `${contender} to floor`, theirs.ratio, theirs.n, { better: "lower" });
    const times = BASELINES[contender];
    if (times !== undefined && each.handlers > 0) {
      report(each.name, `${contender} to ${OURS}`, theirs.ratio / ours.ratio, theirs.n, {
        goal: times,
        better: "higher",
      });
    }
  }
}
for (const each of VARIANTS) reportOurs(each, "floor");
for (const each of SWITCHES) reportOurs(each, `without ${each.without}`);
