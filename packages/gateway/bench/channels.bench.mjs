// Measures five channels with 10,000 sessions and mixed traffic (CHAN-051): what is lost, answered twice or out of order,
// and how much later the others answer while one channel hangs or floods. Run with `node bench/channels.bench.mjs`
// after a build; `--short` has 2 seconds of each phase.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { openStateFolder } from "../dist/index.js";
import { openBenchHost } from "./bench-host.ts";
import { echoProvider, LoadedChannel, runChannelLoad } from "./channel-load.ts";

const isShort = process.argv.includes("--short");
const CHANNELS = 5;
const SESSIONS = 10_000;
/** The phases alternate, so that other work of the machine affects all of them. */
const ROUNDS = isShort ? 1 : 10;
const ROUND_SECONDS = 2;
/** All sessions write at least once. */
const PER_SECOND = 200;
const FAULTS = ["none", "hangs", "floods"];
const BENCH = `${CHANNELS} channels, ${SESSIONS} sessions`;

const folder = mkdtempSync(join(tmpdir(), "openclaw-channels-bench-"));
const store = await openStore({ file: join(folder, "host.db"), durability: "process" });
const channels = Array.from({ length: CHANNELS }, (_, index) => new LoadedChannel(`load-${index}`));
const open = { dmPolicy: "open", groups: { "*": {} } };
const host = await openBenchHost({
  state: openStateFolder(join(folder, "state")),
  store,
  inlinePlugins: channels.map((channel) => channel.asPlugin()),
  provider: echoProvider(),
  channels: Object.fromEntries(channels.map(({ name }) => [name, open])),
});
try {
  await host.serve(0);
  let earlier = 0;
  const run = async (fault, sessions = SESSIONS) => {
    const load = { sessions, earlier, perSecond: PER_SECOND, seconds: ROUND_SECONDS, fault };
    earlier += PER_SECOND * ROUND_SECONDS;
    return await runChannelLoad(channels, load);
  };
  await run("none", 500);
  const latencies = { none: [], hangs: [], floods: [] };
  const totals = { sent: 0, lost: 0, repeated: 0, disordered: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const fault of FAULTS) {
      const result = await run(fault);
      latencies[fault].push(...result.latencies);
      for (const name of Object.keys(totals)) totals[name] += result[name];
    }
  }
  const p99s = {};
  for (const fault of FAULTS) {
    const sorted = latencies[fault].sort((one, other) => one - other);
    const n = sorted.length;
    p99s[fault] = sorted[Math.floor(0.99 * (n - 1))];
    report({ metric: `p99, ${phaseOf(fault)}`, value: p99s[fault], unit: "ms", n });
    if (fault === "none") continue;
    const value = Math.max(0, p99s[fault] - p99s.none);
    report({ metric: `added p99, ${phaseOf(fault)}`, value, unit: "ms", n, goal: 10 });
  }
  const { sent: n, ...faults } = totals;
  for (const [metric, value] of Object.entries(faults)) {
    report({ metric, value, unit: "messages", n, goal: 0 });
  }
} finally {
  await host.close("command");
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

function phaseOf(fault) {
  return fault === "none" ? "all work" : `one ${fault}`;
}

function report(result) {
  const line = { package: "gateway", bench: BENCH, better: "lower", ...result };
  console.log(JSON.stringify(line));
}
