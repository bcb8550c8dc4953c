// Measures a run of five stages without effects, including its process.
// usage: node bench/run.bench.mjs [--json]   after `pnpm build`
import { argv, stdout } from "node:process";
import { createTestHost } from "@openclaw/plugin-testkit";

const RUNS = 20;
const GOAL_MS = 300;
const PIPELINE = "commands.list | pick name | sort --key name | dedupe --key name | head --n 5";

const host = await createTestHost({
  plugin: new URL("..", import.meta.url),
  config: { tools: { alsoAllow: ["plugin:lobster"] } },
});
const times = [];
for (let index = 0; index <= RUNS; index++) {
  const startedAt = performance.now();
  const { text } = await host.callTool("lobster", { action: "run", pipeline: PIPELINE });
  if (JSON.parse(text).output.length !== 5) throw new Error(text);
  if (index > 0) times.push(performance.now() - startedAt);
}
await host.dispose();
times.sort((a, b) => a - b);
const median = Math.round(times[RUNS / 2]);
const slowest = Math.round(times.at(-1));
stdout.write(
  argv.includes("--json")
    ? `${JSON.stringify({ median, slowest, runs: RUNS, goal: GOAL_MS })}\n`
    : `five stages: ${median} ms (median of ${RUNS}), at most ${slowest} ms; goal ${GOAL_MS} ms\n`,
);
process.exitCode = median <= GOAL_MS ? 0 : 1;
