// Measures how much longer the turns of a chat take while 10 jobs work, the time from the creation of a job to its first
// model call, and the start of a host with 1,000 pending jobs. Run with `node bench/jobs.bench.mjs` after a build;
// `--short` has a tenth of the turns.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { openStateFolder } from "../dist/index.js";
import { openBenchHost } from "./bench-host.ts";
import { JobLoad, measureChat } from "./job-load.ts";

const isShort = process.argv.includes("--short");
const ROUNDS = isShort ? 2 : 20;
const TURNS = 50;
const STARTS = isShort ? 5 : 21;
const PENDING = 1_000;
const BENCH = "10 jobs at once";

const folder = mkdtempSync(join(tmpdir(), "openclaw-jobs-bench-"));
let number = 0;
const newHost = async (pending = 0) => {
  number += 1;
  const file = join(folder, `${number}.db`);
  if (pending > 0) await addPending(file, pending);
  globalThis.gc?.();
  const memory = process.memoryUsage().heapUsed;
  const begun = performance.now();
  const store = await openStore({ file, durability: "process" });
  const load = new JobLoad();
  const host = await openBenchHost({
    ...{ store, inlinePlugins: [load.asPlugin()], provider: load.asProvider() },
    state: openStateFolder(join(folder, `state-${number}`)),
    jobs: { maxParallel: 10, maxActive: 2 * PENDING },
  });
  await host.serve(0);
  const ms = performance.now() - begun;
  globalThis.gc?.();
  const mb = (process.memoryUsage().heapUsed - memory) / 1e6;
  const close = async () => {
    await host.close("command");
    await store.close();
  };
  return { host, load, ms, mb, close };
};
try {
  const { host, load, close } = await newHost();
  await measureChat(host, TURNS);
  const latencies = { alone: [], beside: [] };
  // The phases alternate, so that other work of the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    latencies.alone.push(...(await measureChat(host, TURNS)));
    await load.begin(host, 10);
    latencies.beside.push(...(await measureChat(host, TURNS)));
    await load.end(host);
  }
  const p99 = { alone: percentile(latencies.alone), beside: percentile(latencies.beside) };
  const n = latencies.beside.length;
  report({ metric: "p99 of a chat turn, alone", value: p99.alone, unit: "ms", n });
  report({ metric: "p99 of a chat turn, beside jobs", value: p99.beside, unit: "ms", n });
  const added = Math.max(0, 100 * (p99.beside / p99.alone - 1));
  report({ metric: "added p99 of a chat turn", value: added, unit: "%", n, goal: 20 });
  const { begins } = load;
  const toStart = { value: percentile(begins), unit: "ms", n: begins.length, goal: 50 };
  report({ metric: "p99 from creation to the first model call", ...toStart });
  await close();

  const starts = { none: [], pending: [] };
  // The first host of a process also loads what all later ones share.
  for (let start = 0; start <= STARTS; start += 1) {
    for (const [kind, pending] of [
      ["none", 0],
      ["pending", PENDING],
    ]) {
      const { ms, mb, close: closeStarted } = await newHost(pending);
      await closeStarted();
      if (start > 0) starts[kind].push({ ms, mb });
    }
  }
  const median = (name, kind) =>
    percentile(
      starts[kind].map((each) => each[name]),
      0.5,
    );
  const difference = (name) => Math.max(0, median(name, "pending") - median(name, "none"));
  const pending = { n: STARTS, bench: `${PENDING} pending jobs` };
  report({ ...pending, metric: "added start", value: difference("ms"), unit: "ms", goal: 5 });
  report({ ...pending, metric: "added memory", value: difference("mb"), unit: "MB", goal: 2 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function addPending(file, count) {
  const store = await openStore({ file, durability: "process" });
  await store.transaction(async (unit) => {
    for (let job = 0; job < count; job += 1) {
      await unit.jobs.add({
        ...{ jobId: randomUUID(), title: "work", description: "Work.", agentId: "main" },
        ...{ sessionKey: `agent:main:job:${job}`, priority: 0, depth: 0, owner: "me" },
        ...{ creator: { channel: "bench", senderId: "me", senderIsOwner: true } },
        ...{ maxTokens: 0, maxCost: 0, maxIterations: 50, timeoutMs: 3_600_000 },
      });
    }
  });
  await store.close();
}

function percentile(values, part = 0.99) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(part * (sorted.length - 1))];
}

function report(result) {
  const line = { package: "gateway", bench: BENCH, better: "lower", ...result };
  console.log(JSON.stringify(line));
}
