// Measures the check that finds a write-ahead log that was cut. Run with `node bench/commit-mark.bench.mjs` after a build.
import { copyFileSync, existsSync, mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../dist/index.js";

const MESSAGES = 2000;
const STARTS = 21;
/** Longest time that the check may add to a start, in milliseconds. */
const GOAL_MS = 20;
const WAL_HEADER_BYTES = 32;

const measured = new Map();
const folder = mkdtempSync(join(tmpdir(), "openclaw-mark-bench-"));
try {
  const file = join(folder, "store.db");
  await fill(file);
  await measureStart("intact log", (copy) => copy);
  await measureStart("log without its frames", (copy) => {
    truncateSync(`${copy}-wal`, WAL_HEADER_BYTES);
    return copy;
  });
  await measureStart("intact log, without the check", (copy) => {
    rmSync(`${copy}.mark`);
    return copy;
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes messages, and copies the database with its log while it is open, as a killed process leaves it. */
async function fill(file) {
  const store = await openStore({ file, durability: "process", exclusive: true });
  for (let message = 0; message < MESSAGES; message += 1) {
    await store.messages.inbox.accept(messageOf(message));
    // Several marks come about.
    if (message === MESSAGES / 2) await new Promise((resolve) => setTimeout(resolve, 1500));
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
  for (const end of ["", "-wal", ".mark"])
    copyFileSync(`${file}${end}`, join(folder, `killed.db${end}`));
  await store.close();
}

/** Measures starts with a copy of the database, and checks what they find. */
async function measureStart(kind, prepare) {
  const isCut = kind.startsWith("log without");
  const times = [];
  for (let start = 0; start < STARTS; start += 1) {
    const copy = join(folder, `start-${kind.length}-${start}.db`);
    for (const end of ["", "-wal", ".mark"])
      copyFileSync(join(folder, `killed.db${end}`), `${copy}${end}`);
    const file = prepare(copy);
    const before = performance.now();
    const store = await openStore({ file, durability: "process", exclusive: true });
    times.push(performance.now() - before);
    const { lost } = store.database;
    await store.close();
    if ((lost !== undefined) !== isCut) throw new Error(`${kind}: lost is ${lost}`);
    for (const end of ["", "-wal", "-shm", ".mark", ".lost"]) {
      if (existsSync(`${file}${end}`)) rmSync(`${file}${end}`);
    }
  }
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[Math.floor(times.length / 2)], times.at(-1)];
  const bench = `start after a kill, ${MESSAGES} messages, ${kind}`;
  report({ bench, metric: "median", value: median, n: STARTS });
  report({ bench, metric: "slowest", value: slowest, n: STARTS });
  measured.set(kind, median);
  const bare = measured.get("intact log, without the check");
  if (bare === undefined) return;
  const added = measured.get("intact log") - bare;
  report({
    bench: "check of the commit mark",
    metric: "added to a start, median",
    value: added,
    n: STARTS,
    goal: GOAL_MS,
  });
}

function messageOf(id) {
  return {
    id: `${id}`,
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
