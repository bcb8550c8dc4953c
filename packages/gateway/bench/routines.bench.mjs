// Measures what 10,000 routines cost a gateway that waits for their times: the processor time of each look at the clock while
// none of them is due, and the memory; and how late runs start that are due. Run with `node --expose-gc bench/routines.bench.mjs` after a build.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "@openclaw/store";
import { openStateFolder } from "../dist/index.js";
import { openBenchHost } from "./bench-host.ts";
import { instantProvider } from "./bench-provider.ts";

const ROUTINES = 10_000;
/** Delivered runs of each routine, which are kept for months. */
const HISTORY = 5;
/** Looks at the clock that are measured, one each second. */
const LOOKS = 50;
const DUE = 10;
const SETTLE_MS = 3000;
const BENCH = `${ROUTINES} routines`;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIB = 2 ** 20;

const folder = mkdtempSync(join(tmpdir(), "openclaw-routines-bench-"));
try {
  // The first host compiles what both use.
  await idle("warm", 0, 1);
  const none = await idle("none", 0, LOOKS);
  const all = await idle("all", ROUTINES, LOOKS);
  const cpu = Math.max(0, all.cpuMs - none.cpuMs) / LOOKS;
  report({ metric: "processor time of a look", value: cpu, unit: "ms", n: LOOKS, goal: 5 });
  const memory = Math.max(0, all.bytes - none.bytes) / MIB;
  report({ metric: "memory", value: memory, unit: "MiB", n: 1, goal: 10 });
  const value = Math.max(...all.delays);
  report({ metric: "longest delay of a due run", value, unit: "ms", n: DUE, goal: 1000 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the processor time, the memory and the delays of a gateway that has a number of routines. */
async function idle(name, routines, looks) {
  const file = join(folder, `${name}.db`);
  const store = await openStore({ file, durability: "process" });
  await store.transaction(async (unit) => {
    for (let index = 0; index < routines; index += 1) {
      const { routineId } = await unit.routines.add(routineOf(index));
      await addHistory(unit.routines.runs, routineId);
    }
  });
  const host = await openBenchHost({
    state: openStateFolder(join(folder, name)),
    store,
    provider: instantProvider(),
    routines: { checkSeconds: 1, cooldownSeconds: 0 },
  });
  try {
    // Without a due time there is no look, so each host has one routine that is due in time.
    await host.serve(0);
    const delays = await dueDelays(host, store);
    // What the runs left to do is over.
    await sleep(SETTLE_MS);
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    const before = process.cpuUsage();
    await sleep(looks * 1000);
    const { user, system } = process.cpuUsage(before);
    return { cpuMs: (user + system) / 1000, bytes: heapUsed + external, delays };
  } finally {
    await host.close("command");
    await store.close();
  }
}

async function dueDelays(host, store) {
  const creator = {
    ...{ channel: "terminal", conversationId: "main", senderId: "owner", senderIsOwner: true },
  };
  const first = Math.ceil(Date.now() / 1000) * 1000 + 2000;
  const ids = [];
  for (let index = 0; index < DUE; index += 1) {
    const at = new Date(first + index * 1000).toISOString();
    const routine = { name: `due-${index}`, prompt: "now", action: "lightweight", at };
    const added = await host.routines.add({ ...routine, agentId: "main", creator });
    ids.push(added.routine.routineId);
  }
  await host.routines.add({ name: "later", prompt: "x", every: "30d", agentId: "main", creator });
  const delays = [];
  for (const routineId of ids) {
    let run;
    while (run?.endedAt === undefined) {
      await sleep(50);
      [run] = await store.routines.runs.of({ routineId, limit: 1 });
    }
    delays.push(run.startedAt - run.plannedAt);
  }
  return delays;
}

async function addHistory(runs, routineId) {
  for (let age = 1; age <= HISTORY; age += 1) {
    const key = { routineId, plannedAt: Date.now() - age * HOUR_MS };
    await runs.claim({ ...key, origin: "manual", state: "ok" });
    await runs.deliver(key, { state: "not-requested" });
  }
}

/** Returns a routine that is not due while the benchmark runs. */
function routineOf(index) {
  const now = Date.now();
  // The due times of an interval are counted from the anchor to both sides.
  const anchor = Math.floor(now / 1000) * 1000 + 10 * DAY_MS + (index % 86_400) * 1000;
  return {
    ...{ routineId: randomUUID(), name: `routine-${index}`, agentId: "main", owner: `[${index}]` },
    ...{ sessionKey: `agent:main:cron:${index}`, creator: {}, scheduledFrom: now, enabled: true },
    definition: {
      trigger: { kind: "every", everyMs: 30 * DAY_MS, anchor, timezone: "UTC" },
      action: { kind: "message", prompt: "look" },
      notify: { onAttention: true, onFailure: true, onSuccess: false },
      ...{ catchUp: "latest", overlap: "skip" },
    },
  };
}

function report(line) {
  const { metric, value, unit, n, goal } = line;
  const found = { package: "gateway", bench: BENCH, metric, value, unit, n, goal, better: "lower" };
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
