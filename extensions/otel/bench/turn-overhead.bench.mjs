// Measures what the extension adds to a turn while no collector is reachable: processor time per turn of hosts with and
// without it, in alternating rounds, after the first batch has failed. Run with `node bench/turn-overhead.bench.mjs` after a build.
import { availableParallelism, cpus } from "node:os";
import { createTestHost } from "@openclaw/plugin-testkit";
import otel from "../dist/index.js";
import manifest from "../openclaw.plugin.json" with { type: "json" };

const ROUNDS = process.argv.includes("--short") ? 6 : 12;
const WARM_UP_TURNS = 30;
const TURNS = 150;
const SETTLE_MS = 6000;
/** No server listens on this port. */
const UNREACHABLE = "http://127.0.0.1:9";

const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
const without = { plugin: { id: "nothing", register() {} } };
const withOtel = { plugin: otel, manifest, pluginConfig: { endpoint: UNREACHABLE } };

await measure(without);
await measure(withOtel);
const ratios = [];
const costs = { without: [], with: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  // The order alternates, so that a machine that becomes slower or faster affects both alike.
  const isFirst = round % 2 === 0;
  const first = await measure(isFirst ? without : withOtel);
  const second = await measure(isFirst ? withOtel : without);
  const [base, full] = isFirst ? [first, second] : [second, first];
  costs.without.push(base);
  costs.with.push(full);
  ratios.push(full / base);
}
const n = ROUNDS * TURNS;
report("CPU per turn without it", median(costs.without), { unit: "ms", n });
report("CPU per turn with it", median(costs.with), { unit: "ms", n });
report("overhead per turn", (median(ratios) - 1) * 100, { unit: "%", n, goal: 3 });

/** Returns the processor time of a turn, in milliseconds. */
async function measure(options) {
  await using host = await createTestHost({
    ...options,
    model: () => ({ text: "An answer of some words." }),
  });
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) await host.turn("Hello?");
  // The extension reports the failed batch in this time; the other host waits as long, so that both continue alike.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const isDown = host.logs.some(({ message }) => message.startsWith("spans could not be sent"));
  if (isDown !== (options === withOtel)) throw new Error("the first batch has not failed");
  for (let turn = 0; turn < WARM_UP_TURNS; turn += 1) await host.turn("Hello?");
  globalThis.gc?.();
  const before = process.cpuUsage();
  for (let turn = 0; turn < TURNS; turn += 1) await host.turn("Hello?");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / TURNS;
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

function report(metric, value, { goal, ...more }) {
  const bench = "turns while no collector is reachable";
  const result = { bench, metric, value: Number(value.toPrecision(4)), ...more, better: "lower" };
  if (goal !== undefined) result.goal = goal;
  console.log(JSON.stringify({ package: "@openclaw/otel", ...result, machine }));
}
