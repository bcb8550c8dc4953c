// Measures the time that a host needs to recover the work of a killed process: sessions with running turns,
// each with a received reply and a tool call with an unknown outcome. Run with `node
// bench/recovery.bench.mjs` after a build.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { openStateFolder } from "../dist/index.js";
import { openBenchHost } from "./bench-host.ts";
import { instantProvider } from "./bench-provider.ts";

const SESSIONS = 1000;
const GOAL_SECONDS = 5;

const folder = mkdtempSync(join(tmpdir(), "openclaw-recovery-bench-"));
try {
  const file = join(folder, "openclaw.db");
  const left = await openStore({ file, durability: "process" });
  await left.transaction(async (unit) => {
    for (let index = 0; index < SESSIONS; index += 1) await leaveTurn(unit, index);
  });
  await left.close();
  await measure(file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Stores a turn as a process leaves it when it is killed while a tool runs. */
async function leaveTurn(store, index) {
  const sessionKey = `agent:main:bench:${index}`;
  const [inboxId, runId, callId] = [randomUUID(), randomUUID(), randomUUID()];
  const text = "A question of some words?";
  const place = { channel: "bench", conversationId: sessionKey, senderId: "me" };
  const { session } = await store.sessions.open(sessionKey, { agentId: "main" });
  const { sessionId } = session;
  await store.messages.inbox.accept({
    ...place,
    id: inboxId,
    accountId: "default",
    content: text,
    attachments: [],
    receivedAt: Date.now(),
    metadata: { senderIsOwner: true },
  });
  await store.messages.inbox.settle(inboxId, { state: "queued", sessionKey, runId });
  const payload = { ...place, senderIsOwner: true, text };
  const turn = { runId, sessionKey, sessionId, agentId: "main", inboxId, trigger: "user", payload };
  await store.turns.enqueue(turn);
  await store.turns.begin(runId);

  const note = (step) => store.turns.journal.append({ runId, step });
  await note({
    kind: "turn-prepared",
    model: "instant/model",
    prompt: { system: "You are an assistant.", user: text },
    history: {},
    holdsInjections: false,
    generation: 1,
    configRevision: "bench",
  });
  const said = (message) => store.messages.transcript.append({ sessionId, runId, message });
  await said({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
  await note({
    kind: "model-requested",
    callId,
    model: "instant/model",
    digest: "0".repeat(64),
    messageCount: 1,
  });
  const params = { operation: "now" };
  const reply = {
    role: "assistant",
    content: [{ type: "toolCall", toolCallId: "call-1", toolName: "work", params }],
    provider: "instant",
    model: "model",
    stopReason: "tool-calls",
    timestamp: 1,
  };
  await note({ kind: "model-answered", callId, message: reply });
  await said(reply);
  await note({ kind: "tool-intended", toolCallId: "call-1", toolName: "work", params });
}

async function measure(file) {
  const store = await openStore({ file, durability: "process" });
  const state = openStateFolder(join(folder, "state"));
  const begun = performance.now();
  const host = await openBenchHost({ state, store, provider: instantProvider() });
  const resumed = await host.serve(0);
  const serving = (performance.now() - begun) / 1000;
  if (resumed !== SESSIONS) throw new Error(`expected ${SESSIONS} turns, got ${resumed}`);
  while ((await store.turns.unfinished()).length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const all = (performance.now() - begun) / 1000;
  const bench = `recovery of ${SESSIONS} interrupted sessions`;
  report({ bench, metric: "time to serve", value: serving });
  report({ bench, metric: "time until all are answered", value: all, goal: GOAL_SECONDS });
  await host.close("command");
  await store.close();
}

function report({ value, goal, ...result }) {
  const machine = `${availableParallelism()} x ${cpus()[0]?.model}, Node ${process.versions.node}`;
  const rounded = Number(value.toPrecision(4));
  const measured = { value: rounded, unit: "s", n: 1, better: "lower", machine };
  const line = { package: "@openclaw/gateway", ...result, ...measured };
  console.log(JSON.stringify(goal === undefined ? line : { ...line, goal }));
}
