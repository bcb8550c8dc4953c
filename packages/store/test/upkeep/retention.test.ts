import { describe, expect, it } from "vitest";
import type { Store } from "../../src/index.js";
import { openDatedStore } from "../support/dated-store.js";
import { inbound, queueTurn } from "../support/open-store.js";
import { sweepSteps } from "../support/sweep-steps.js";

/** Stores an answered turn: message, transcript, journal and reply, at the current time. */
async function answeredTurn(store: Store, name: string): Promise<void> {
  const runId = `run ${name}`;
  const inboxId = `message ${name}`;
  const { session } = await queueTurn(store, { runId, inboxId, sessionKey: `session ${name}` });
  const { sessionKey, sessionId } = session;
  await store.messages.inbox.settle(inboxId, { state: "queued", sessionKey, runId });
  await store.turns.begin(runId);
  const content = [{ type: "text" as const, text: `secret of ${name}` }];
  for (const timestamp of [1, 2]) {
    await store.messages.transcript.append({
      sessionId,
      runId,
      message: { role: "user", content, timestamp },
    });
  }
  const target = { channel: "test", to: "sender" };
  const reply = { runId, part: 0, inboxId, sessionKey, target, content: "a reply" };
  const { row } = await store.messages.outbox.add(reply);
  await store.messages.outbox.delivered(row.id);
  await store.decisions.toolAuditLog.add({
    runId,
    sessionKey,
    toolCallId: "call",
    tool: "exec",
    decider: "p",
  });
  await store.secrets.used({ owner: "operator", name }, { actor: "host", by: "key" });
}

describe("retention.sweep", () => {
  it("[SCALE-029] removes each subject after its days, and not before", async () => {
    const { store, day } = await openDatedStore();
    await answeredTurn(store, "old");
    await store.turns.finish("run old", { state: "completed" });
    const { sessionId } = (await store.sessions.get("session old")) ?? {};
    await store.messages.compactions.record({
      sessionId: sessionId ?? "",
      upToSeq: 1,
      strategy: "truncate",
      compactedCount: 1,
    });
    const days = { transcript: 400 };
    const nothing = {
      transcript: 0,
      messageContent: 0,
      response: 0,
      journal: 0,
      toolAudit: 0,
      trace: 0,
      policyDecision: 0,
      approval: 0,
      call: 0,
      modelCall: 0,
      secretUse: 0,
      job: 0,
      routineRun: 0,
    };

    day(30);
    expect(await store.retention.sweep(days)).toEqual(nothing);
    day(31);
    const removed = { ...nothing, messageContent: 2, journal: 4 };
    expect(await store.retention.sweep(days)).toEqual(removed);
    expect(await store.messages.inbox.get("message old")).toMatchObject({
      content: "",
      attachments: [],
    });
    expect(await store.turns.journal.load("run old")).toEqual([]);
    expect(await store.turns.get("run old")).toMatchObject({ state: "completed" });

    day(91);
    expect(await store.retention.sweep(days)).toEqual({
      ...nothing,
      toolAudit: 1,
      secretUse: 1,
    });
    day(399);
    expect(await store.retention.sweep(days)).toEqual(nothing);
    expect(await store.messages.transcript.count(sessionId ?? "")).toBe(2);
    day(401);
    expect(await store.retention.sweep(days)).toEqual({ ...nothing, transcript: 3 });
    expect(await store.messages.transcript.load(sessionId ?? "")).toEqual([]);
    expect(await store.sessions.get("session old")).toMatchObject({ messageCount: 0 });
    expect(await store.messages.compactions.latest(sessionId ?? "")).toBeUndefined();
    expect(await store.retention.sweep(days)).toEqual(nothing);
  });

  it("keeps transcripts forever by default", async () => {
    const { store, day } = await openDatedStore();
    await answeredTurn(store, "kept");
    day(100_000);
    await store.retention.sweep();
    const { sessionId, messageCount } = (await store.sessions.get("session kept")) ?? {};
    expect(messageCount).toBe(2);
    expect(await store.messages.transcript.count(sessionId ?? "")).toBe(2);
  });

  it("keeps a conversation in use complete, and removes its earlier incarnation", async () => {
    const { store, day } = await openDatedStore();
    await answeredTurn(store, "used");
    const before = await store.sessions.get("session used");
    await store.sessions.end(before?.sessionId ?? "", "reset");
    const after = await store.sessions.renew("session used");
    const message = { role: "user" as const, content: [], timestamp: 1 };
    await store.messages.transcript.append({ sessionId: after.sessionId, message });
    day(20);
    await store.sessions.touch("session used");
    day(25);
    expect(await store.retention.sweep({ transcript: 10 })).toMatchObject({ transcript: 2 });
    expect(await store.messages.transcript.count(before?.sessionId ?? "")).toBe(0);
    expect(await store.messages.transcript.count(after.sessionId)).toBe(1);
  });

  it("[SUB-029] keeps the conversation of a session that is used again after its host has stopped", async () => {
    const { store, day } = await openDatedStore();
    await answeredTurn(store, "used");
    const { sessionId = "" } = (await store.sessions.get("session used")) ?? {};
    await store.sessions.end(sessionId, "shutdown");
    day(20);
    await store.sessions.touch("session used");
    day(25);
    expect(await store.retention.sweep({ transcript: 10 })).toMatchObject({ transcript: 0 });
    expect(await store.messages.transcript.count(sessionId)).toBe(2);
    day(31);
    expect(await store.retention.sweep({ transcript: 10 })).toMatchObject({ transcript: 2 });
  });

  it("keeps everything that an unfinished turn needs", async () => {
    const { store, day } = await openDatedStore();
    await answeredTurn(store, "paused");
    day(1000);
    const removed = await store.retention.sweep();
    expect(removed).toMatchObject({ messageContent: 1, journal: 0 });
    expect(await store.messages.inbox.get("message paused")).toMatchObject({ content: "hello" });
    expect(await store.turns.journal.load("run paused")).toHaveLength(4);
  });

  it("[SCALE-029] keeps the steps of a turn for as long after its end, and those of no turn by their age", async () => {
    const { store, day } = await openDatedStore();
    await answeredTurn(store, "slow");
    await store.turns.journal.append({
      runId: "no turn",
      step: { kind: "message-dropped", role: "user" },
    });
    day(20);
    expect(await store.retention.sweep()).toMatchObject({ journal: 0 });
    await store.turns.finish("run slow", { state: "completed" });
    day(40);
    expect(await store.retention.sweep()).toMatchObject({ journal: 1 });
    expect(await store.turns.journal.load("no turn")).toEqual([]);
    expect(await store.turns.journal.load("run slow")).toHaveLength(4);
    day(51);
    expect(await store.retention.sweep()).toMatchObject({ journal: 4 });
  });

  it("[SCALE-029] keeps all steps of a run until its last one is old, and removes a long run completely", async () => {
    const { store, day } = await openDatedStore();
    const step = { kind: "message-dropped", role: "user" } as const;
    const append = (count: number) =>
      store.transaction(async (inside) => {
        for (let index = 0; index < count; index += 1) {
          await inside.turns.journal.append({ runId: "long", step });
        }
      });
    await append(1200);
    day(20);
    await append(1);
    day(40);
    expect(await store.retention.sweep()).toMatchObject({ journal: 0 });
    day(51);
    const steps = async (inside: Store) => (await inside.turns.journal.load("long")).length;
    const removed = await sweepSteps(store, steps);
    expect(removed.length).toBeGreaterThan(2);
    expect(await store.turns.journal.load("long")).toEqual([]);
  });

  it("recognises a repeat of a message whose text was removed", async () => {
    const { store, day } = await openDatedStore();
    const message = inbound({ idempotencyKey: "once" });
    await store.messages.inbox.accept(message);
    await store.messages.inbox.settle(message.id, { state: "answered" });
    day(31);
    await store.retention.sweep();
    const again = await store.messages.inbox.accept({ ...message, id: "another" });
    expect(again).toMatchObject({ duplicate: true, row: { id: "message", content: "" } });
  });

  it("[SCALE-029] removes at most 500 rows per transaction, and lets other calls run in between", async () => {
    const { store, day } = await openDatedStore();
    await store.transaction(async (inside) => {
      for (let index = 0; index < 1201; index += 1) {
        const call = {
          runId: "run",
          sessionKey: "s",
          toolCallId: `${index}`,
          tool: "t",
          decider: "d",
        };
        await inside.decisions.toolAuditLog.add(call);
      }
    });
    day(91);
    const rows = async (inside: Store) =>
      (await inside.decisions.toolAuditLog.list({ limit: 5000 })).length;
    const [first = 0, ...others] = await sweepSteps(store, rows);
    // Later transactions are smaller when one took long.
    expect(first).toBe(500);
    expect(others.length).toBeGreaterThan(1);
    expect(Math.max(...others)).toBeLessThanOrEqual(500);
  });

  it("stops after the running transaction when its signal aborts", async () => {
    const { store, day } = await openDatedStore();
    await answeredTurn(store, "old");
    day(1000);
    const stop = new AbortController();
    stop.abort();
    expect(await store.retention.sweep({}, { signal: stop.signal })).toMatchObject({
      messageContent: 0,
      response: 0,
      toolAudit: 0,
    });
  });
});
