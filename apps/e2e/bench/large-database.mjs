// Fills a database with 1,000,000 messages in 10,000 sessions, and measures a gateway on it (SCALE-646): its start, its
// list of sessions, the search in it, a history and a turn. Run with `node apps/e2e/bench/large-database.mjs` after a build;
// `--messages 10000` is a trial, `--record` keeps the figures as `pnpm bench --record` does.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createGatewayClient } from "@openclaw/client";
import { openStore } from "@openclaw/store";
import { startGateway } from "./soak/gateway.mjs";
import { startModel } from "./soak/model.mjs";
import { recordFigures } from "./soak/record.mjs";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1000000" },
    record: { type: "boolean", default: false },
  },
});
const MESSAGES = Number(values.messages);
const MESSAGES_OF_SESSION = 100;
const STARTS = 5;
const LOOKS = 50;
const GOALS = { startMs: 1000, searchMs: 100 };
const HOUR_MS = 3_600_000;
const QUESTION = "Which of the invoices of last month are still open, and who has to be reminded?";
const ANSWER = "Two of them are open. ".repeat(20);

const folder = mkdtempSync(join(tmpdir(), "openclaw-large-"));
const model = await startModel();
try {
  const file = join(folder, "state/openclaw.db");
  // Its keys exist before its messages, as in use.
  await (await startGateway(folder, {}, model.url)).stop();
  const filledMs = await timed(() => fill(file));
  const starts = [];
  for (let run = 0; run < STARTS; run += 1) {
    const begun = performance.now();
    const started = await startGateway(folder, {}, model.url);
    starts.push(performance.now() - begun);
    await started.stop();
  }
  const gateway = await startGateway(folder, {}, model.url);
  const client = createGatewayClient(gateway);
  const sessions = MESSAGES / MESSAGES_OF_SESSION;
  const times = { list: [], search: [], history: [], turn: [] };
  for (let look = 0; look < LOOKS; look += 1) {
    const number = (look * 7919) % sessions;
    const sessionKey = keyOf(number);
    times.list.push(await timed(() => client.call("sessions.list", { limit: 50 })));
    const filter = { text: `project-${number}` };
    times.search.push(
      await timed(async () => {
        const { total } = await client.call("sessions.list", { filter });
        if (total < 1) throw new Error(`the search for ${filter.text} found nothing`);
      }),
    );
    times.history.push(await timed(() => client.call("chat.history", { sessionKey, limit: 50 })));
    times.turn.push(await timed(() => turn(gateway, `large-${look}`)));
  }
  const { heapUsed, rss } = await gateway.sample();
  await gateway.stop();
  finish({ filledMs, starts, times, heapUsed, rss, bytes: statSync(file).size });
} finally {
  model.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Stores the messages as turns store them, the oldest a year ago. */
async function fill(file) {
  let clock = Date.now() - 365 * 24 * HOUR_MS;
  const store = await openStore({ file, durability: "process", now: () => clock });
  const stepMs = (365 * 24 * HOUR_MS) / MESSAGES;
  for (let number = 0; number < MESSAGES / MESSAGES_OF_SESSION; number += 1) {
    await store.transaction(async (unit) => {
      const sessionKey = keyOf(number);
      const { session } = await unit.sessions.open(sessionKey, {
        agentId: "main",
        channel: "webchat",
      });
      const { sessionId } = session;
      for (let pair = 0; pair < MESSAGES_OF_SESSION / 2; pair += 1) {
        clock += 2 * stepMs;
        await exchange(unit, { sessionKey, sessionId, id: `${number}-${pair}` });
      }
    });
  }
  await store.close();
}

async function exchange(unit, { sessionKey, sessionId, id }) {
  const timestamp = Date.now();
  const text = `${QUESTION} This is about project-${id}.`;
  const runId = `run-${id}`;
  await unit.messages.inbox.accept({
    ...{
      id: `message-${id}`,
      channel: "webchat",
      accountId: "default",
      conversationId: sessionKey,
    },
    ...{ senderId: "me", content: text, attachments: [], receivedAt: timestamp, metadata: {} },
  });
  await unit.messages.inbox.settle(`message-${id}`, { state: "queued", sessionKey, runId });
  const turn = { runId, sessionKey, sessionId, agentId: "main", trigger: "user" };
  await unit.turns.enqueue({ ...turn, inboxId: `message-${id}` }, { hasBegun: true });
  const content = (words) => [{ type: "text", text: words }];
  const { transcript } = unit.messages;
  await transcript.append({
    sessionId,
    runId,
    message: { role: "user", content: content(text), timestamp },
  });
  await transcript.append({
    ...{ sessionId, runId },
    message: { role: "assistant", content: content(`${ANSWER} (project-${id})`), timestamp },
  });
  await unit.turns.finish(runId, { state: "completed", stopReason: "stop" });
}

function keyOf(number) {
  return `agent:main:webchat:project-${number}`;
}

async function turn({ url, token }, user) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "openclaw",
      user,
      messages: [{ role: "user", content: "hello" }],
    }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`status ${response.status}: ${answer}`);
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function finish({ filledMs, starts, times, heapUsed, rss, bytes }) {
  const figures = [
    ["messages", MESSAGES, "messages", MESSAGES],
    ["size of the database", bytes / 1e9, "GB", 1],
    ["time to store a message", filledMs / MESSAGES, "ms", MESSAGES],
    ["start", share(starts, 0.5), "ms", STARTS, GOALS.startMs],
    ["list of the newest sessions, p95", share(times.list, 0.95), "ms", LOOKS],
    ["search in the sessions, p95", share(times.search, 0.95), "ms", LOOKS, GOALS.searchMs],
    ["history of a session, p95", share(times.history, 0.95), "ms", LOOKS, GOALS.searchMs],
    ["turn, p95", share(times.turn, 0.95), "ms", LOOKS],
    ["heap", heapUsed / 1e6, "MB", 1],
    ["resident memory", rss / 1e6, "MB", 1],
  ];
  const results = figures.map(([metric, value, unit, n, goal]) => ({
    ...{ package: "openclaw", bench: "large database", metric },
    ...{ value: Number(value.toPrecision(4)), unit, n, better: "lower", ...(goal && { goal }) },
  }));
  for (const result of results) console.log(JSON.stringify(result));
  if (values.record) recordFigures("large-database", results);
  if (results.some(({ value, goal }) => goal !== undefined && value > goal)) process.exitCode = 1;
}

function share(list, part) {
  const sorted = list.toSorted((one, other) => one - other);
  return sorted[Math.floor(part * (sorted.length - 1))];
}
