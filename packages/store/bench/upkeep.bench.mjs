// Measures the upkeep of a database. Run with `node bench/upkeep.bench.mjs` after a build.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../dist/index.js";
import { backupDatabase, copyDatabase } from "../dist/upkeep.js";

const RUNS = 20_000;
const STEPS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Goals of SCALE-028 and SCALE-029, in milliseconds. */
const LONGEST_MS = { backup: 100, retention: 50 };

if (process.argv[2] === "backup") {
  await backupDatabase(process.argv[3], process.argv[4]);
} else {
  const folder = mkdtempSync(join(tmpdir(), "openclaw-upkeep-bench-"));
  try {
    const file = join(folder, "store.db");
    await fill(file);
    await measureBackup(file, join(folder, "backup.db"));
    await measureCopy(file, join(folder, "copy.db"));
    await measureRetention(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds runs that are 40 days old, each with some steps of about 400 bytes. */
async function fill(file) {
  const store = await openStore({
    file,
    durability: "process",
    now: () => Date.now() - 40 * DAY_MS,
  });
  const text = "Some words of an answer. ".repeat(16);
  await store.transaction(async (inside) => {
    for (let run = 0; run < RUNS; run += 1) {
      for (let step = 0; step < STEPS; step += 1) {
        const answered = { kind: "model-answered", callId: `${step}`, message: { content: text } };
        await inside.turns.journal.append({ runId: `run ${run}`, step: answered });
      }
    }
  });
  await store.close();
}

/** Measures commit times while another process makes a backup. */
async function measureBackup(file, backup) {
  const store = await openStore({ file });
  const self = fileURLToPath(import.meta.url);
  const begun = performance.now();
  const child = fork(self, ["backup", file, backup]);
  let isOver = false;
  const over = once(child, "exit").then(() => {
    isOver = true;
  });
  const commits = [];
  while (!isOver) {
    const before = performance.now();
    await store.messages.inbox.accept(message(`during ${commits.length}`));
    commits.push(performance.now() - before);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await over;
  await store.close();
  const bench = `backup of ${RUNS * STEPS} rows by another process, durability power`;
  const n = commits.length;
  report({
    bench,
    metric: "whole, with the start of a process",
    value: performance.now() - begun,
    n: 1,
  });
  report({
    bench,
    metric: "longest commit meanwhile",
    value: Math.max(...commits),
    n,
    goal: LONGEST_MS.backup,
  });
}

async function measureCopy(file, copy) {
  const begun = performance.now();
  const tables = await copyDatabase({
    from: { engine: "sqlite", file },
    to: { engine: "sqlite", file: copy },
  });
  const seconds = (performance.now() - begun) / 1000;
  const n = tables.reduce((sum, { source }) => sum + source.rows, 0);
  report({
    bench: "copy to another file, compared",
    metric: "rows",
    value: n / seconds,
    unit: "1/s",
    n,
    better: "higher",
  });
}

async function measureRetention(file) {
  const store = await openStore({ file });
  const begun = performance.now();
  const waits = [];
  const sweep = store.retention.sweep();
  let isOver = false;
  void sweep.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const before = performance.now();
    await store.sessions.get("nobody");
    waits.push(performance.now() - before);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { journal } = await sweep;
  const seconds = (performance.now() - begun) / 1000;
  await store.close();
  const bench = `retention of ${RUNS * STEPS} steps, durability power`;
  report({
    bench,
    metric: "rows",
    value: journal / seconds,
    unit: "1/s",
    n: journal,
    better: "higher",
  });
  report({
    bench,
    metric: "longest wait of another call",
    value: Math.max(...waits),
    n: waits.length,
    goal: LONGEST_MS.retention,
  });
}

function message(id) {
  return {
    id,
    channel: "bench",
    accountId: "account",
    conversationId: "conversation",
    senderId: "sender",
    content: "A question of some words?",
    attachments: [],
    receivedAt: Date.now(),
    metadata: {},
  };
}

function report({ value, ...result }) {
  const rounded = Number(value.toPrecision(4));
  const line = { package: "@openclaw/store", unit: "ms", better: "lower", ...result };
  console.log(JSON.stringify({ ...line, value: rounded }));
}
