// Measures a run of five stages without effects, including its process; `floor` is a process of Node that does nothing.
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { createTestHost } from "@openclaw/plugin-testkit";

const RUNS = 20;
const PIPELINE = "commands.list | pick name | sort --key name | dedupe --key name | head --n 5";

const host = await createTestHost({
  plugin: new URL("..", import.meta.url),
  config: { tools: { alsoAllow: ["plugin:lobster"] } },
});
const times = await measured(async () => {
  const { text } = await host.callTool("lobster", { action: "run", pipeline: PIPELINE });
  if (JSON.parse(text).output.length !== 5) throw new Error(text);
});
await host.dispose();
const floor = median(await measured(() => spawnSync(process.execPath, ["-e", ""])));
report("five stages, median", median(times), { floor, goal: 300 });
report("five stages, slowest", times.at(-1), {});

/** Returns the times of the runs in milliseconds, ascending; the first run is not counted. */
async function measured(work) {
  const found = [];
  for (let index = 0; index <= RUNS; index += 1) {
    const began = performance.now();
    await work();
    if (index > 0) found.push(performance.now() - began);
  }
  return found.sort((one, other) => one - other);
}

function median(sorted) {
  return sorted[Math.floor(sorted.length / 2)];
}

function report(metric, value, more) {
  const figure = { package: "lobster", bench: "run", metric, value, unit: "ms", n: RUNS, ...more };
  console.log(JSON.stringify({ ...figure, better: "lower" }));
}
