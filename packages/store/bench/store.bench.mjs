// Measures the built package on a real file. Run with `node bench/store.bench.mjs` after a build, and with
// `node bench/with-postgres.mjs node bench/store.bench.mjs` to also measure it on a server.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { openStore } from "../dist/index.js";

const ROUNDS = 7;
const MESSAGES = 500;
const APPENDS = 1000;
const ENTRIES = 10_000;
const OPENINGS = 31;
const PAGE = 200;
const SERVER = process.env.OPENCLAW_BENCH_POSTGRES_URL;

const folder = mkdtempSync(join(tmpdir(), "openclaw-store-bench-"));
try {
  for (const engine of SERVER === undefined ? ["sqlite"] : ["sqlite", "postgres"]) {
    for (const durability of ["power", "process"]) {
      await measureCommits(engine, durability);
      await measureAppends(engine, durability);
    }
  }
  await measureOpening();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function placeOf(engine, name) {
  return engine === "sqlite"
    ? { file: join(folder, `${name}.db`) }
    : { url: `${SERVER}?schema=${name}` };
}

function onServer(engine) {
  return engine === "sqlite" ? "" : " on PostgreSQL";
}

/**
 * Measures the commits that turn a message into a queued turn: one accepts it, one settles and enqueues it.
 */
async function measureCommits(engine, durability) {
  const store = await openStore({ ...placeOf(engine, `commits-${durability}`), durability });
  const { sessionId } = (await store.sessions.open("session", { agentId: "agent" })).session;
  const rates = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const seconds = await timed(async () => {
      for (let message = 0; message < MESSAGES; message += 1) await queueMessage(store, sessionId);
    });
    rates.push((2 * MESSAGES) / seconds);
  }
  await store.close();
  const bench = `accept and enqueue${onServer(engine)}, durability ${durability}`;
  const n = ROUNDS * MESSAGES * 2;
  report({ bench, metric: "commits", value: median(rates), unit: "1/s", n, better: "higher" });
}

async function queueMessage(store, sessionId) {
  const id = randomUUID();
  const runId = randomUUID();
  await store.messages.inbox.accept({
    id,
    channel: "bench",
    accountId: "account",
    conversationId: "conversation",
    senderId: "sender",
    externalMessageId: id,
    content: "A question of some words?",
    attachments: [],
    receivedAt: Date.now(),
    metadata: {},
  });
  await store.transaction(async (inside) => {
    await inside.messages.inbox.settle(id, { state: "queued", sessionKey: "session", runId });
    await inside.turns.enqueue({
      runId,
      sessionKey: "session",
      sessionId,
      agentId: "agent",
      inboxId: id,
      trigger: "user",
    });
  });
}

async function measureAppends(engine, durability) {
  const store = await openStore({ ...placeOf(engine, `appends-${durability}`), durability });
  const { sessionId } = (await store.sessions.open("session", { agentId: "agent" })).session;
  const rates = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const seconds = await timed(async () => {
      for (let entry = 0; entry < APPENDS; entry += 1) {
        await store.messages.transcript.append({
          sessionId,
          runId: "run",
          message: message(entry),
        });
      }
    });
    rates.push(APPENDS / seconds);
  }
  await store.close();
  const bench = `transcript append${onServer(engine)}, durability ${durability}`;
  const n = ROUNDS * APPENDS;
  report({ bench, metric: "appends", value: median(rates), unit: "1/s", n, better: "higher" });
}

/**
 * Measures the opening of a long session relative to the minimum: reading the rows and parsing their JSON.
 */
async function measureOpening() {
  const file = join(folder, "opening.db");
  const filling = await openStore({ file, durability: "process" });
  const { sessionId } = (await filling.sessions.open("session", { agentId: "agent" })).session;
  await filling.transaction(async (inside) => {
    for (let entry = 0; entry < ENTRIES; entry += 1) {
      await inside.messages.transcript.append({
        sessionId,
        runId: `run ${entry}`,
        message: message(entry),
      });
    }
  });
  await filling.close();

  const store = await openStore({ file });
  const bare = new BetterSqlite(file, { readonly: true });
  const rows = bare.prepare(
    "select entry_id, seq, run_id, message, created_at from transcript where session_id = ? order by seq",
  );
  const times = { whole: [], page: [], floor: [] };
  for (let opening = 0; opening < OPENINGS; opening += 1) {
    times.whole.push(await timed(() => openSession(store)));
    times.page.push(await timed(() => openSession(store, { limit: PAGE })));
    times.floor.push(
      await timed(async () => {
        for (const row of rows.all(sessionId)) row.message = JSON.parse(row.message);
      }),
    );
  }
  await store.close();
  bare.close();

  const bench = `open a session of ${ENTRIES} entries`;
  const n = OPENINGS;
  const milliseconds = (metric, seconds, more) =>
    report({ bench, metric, value: seconds * 1000, unit: "ms", better: "lower", ...more });
  milliseconds("first, all entries", times.whole[0], { n: 1 });
  const floor = Number((median(times.floor) * 1000).toPrecision(4));
  milliseconds("median, all entries", median(times.whole), { n, goal: 20, floor });
  milliseconds(`median, last ${PAGE} entries`, median(times.page), { n });
  const value = median(times.whole) / median(times.floor);
  report({ bench, metric: "all entries, ratio to floor", value, unit: "x", n, better: "lower" });
}

async function openSession(store, options) {
  const { session } = await store.sessions.open("session", { agentId: "agent" });
  return await store.messages.transcript.load(session.sessionId, options);
}

/** Returns alternating user and agent messages of about 200 bytes of JSON on average. */
function message(index) {
  const timestamp = 1_700_000_000_000 + index;
  if (index % 2 === 0) {
    const content = [{ type: "text", text: "A question of some words?" }];
    return { role: "user", content, timestamp };
  }
  return {
    role: "assistant",
    content: [{ type: "text", text: "An answer of some words, and a few more.\n".repeat(3) }],
    provider: "provider",
    model: "model",
    usage: { input: 1200, output: 40 },
    stopReason: "stop",
    timestamp,
  };
}

/** Returns the duration of work in seconds. */
async function timed(work) {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

function report({ value, ...result }) {
  const rounded = Number(value.toPrecision(4));
  console.log(JSON.stringify({ package: "@openclaw/store", ...result, value: rounded }));
}
