import { randomUUID } from "node:crypto";
import type { Store } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { writeTurnInput } from "../src/turn-input.js";
import { createTestHost, gate, message, openTestStore, SESSION } from "./test-host.js";

/** Leaves a queued turn in a store, as a process does that ends before it runs. */
async function leaveTurn(
  store: Store,
  text: string,
  {
    trigger = "user",
    payload = writeTurnInput(message(text)),
  }: {
    trigger?: "user" | "api";
    payload?: ReturnType<typeof writeTurnInput>;
  } = {},
): Promise<string> {
  const id = await leaveMessage(store, text);
  const { session } = await store.sessions.open(SESSION, { agentId: "main" });
  const runId = randomUUID();
  await store.inbox.settle(id, { state: "queued", sessionKey: SESSION, runId });
  const { sessionId } = session;
  await store.turns.enqueue({
    runId,
    sessionKey: SESSION,
    sessionId,
    agentId: "main",
    inboxId: id,
    trigger,
    payload,
  });
  return runId;
}

async function leaveMessage(store: Store, text: string): Promise<string> {
  const id = randomUUID();
  await store.inbox.accept({
    id,
    channel: "terminal",
    accountId: "default",
    conversationId: "terminal",
    senderId: "operator",
    content: text,
    attachments: [],
    metadata: {},
    receivedAt: 1,
  });
  return id;
}

describe("recovery after the end of an earlier process", () => {
  it("runs queued turns, in the order of their messages, and delivers to nobody", async () => {
    const store = await openTestStore();
    const runs = [await leaveTurn(store, "first"), await leaveTurn(store, "second")];
    const host = await createTestHost({ store });
    expect(await host.flow.recover()).toBe(2);
    await host.flow.close();
    expect(host.asked()).toHaveLength(2);
    expect(host.asked()[0]).toContain("first");
    expect(host.asked()[1]).toContain("second");
    for (const run of runs) {
      expect(await store.turns.get(run)).toMatchObject({ state: "completed", attempts: 1 });
    }
    expect(await store.outbox.undelivered()).toEqual([]);
    const [session] = await store.sessions.list({ limit: 1 });
    expect(session?.messageCount).toBe(4);
  });

  it("lets a new message of the session wait for the turns that were queued before", async () => {
    const store = await openTestStore();
    await leaveTurn(store, "left behind");
    const model = gate();
    const host = await createTestHost({
      store,
      script: [{ text: "one", waitFor: model.passed }, { text: "two" }],
    });
    await host.flow.recover();
    const reply = host.flow.receive(message("new"), {});
    model.pass();
    expect(await reply).toMatchObject({ status: "replied", text: "two" });
    expect(host.asked()[1]).toContain("left behind");
  });

  it("does not run a turn again that was running, since its tools may have had effects", async () => {
    const store = await openTestStore();
    const runId = await leaveTurn(store, "hello");
    await store.turns.begin(runId);
    const host = await createTestHost({ store });
    expect(await host.flow.recover()).toBe(0);
    await host.flow.close();
    expect(host.asked()).toEqual([]);
    expect(await store.turns.get(runId)).toMatchObject({
      state: "interrupted",
      stopReason: "host-ended",
    });
    expect(host.lines).toContain("warn: a turn was cut off by the end of an earlier process");
  });

  it("does not run a turn of the API, whose caller has gone", async () => {
    const store = await openTestStore();
    const runId = await leaveTurn(store, "hello", { trigger: "api" });
    const host = await createTestHost({ store });
    expect(await host.flow.recover()).toBe(0);
    expect(await store.turns.get(runId)).toMatchObject({ state: "interrupted" });
  });

  it("closes a message that was never routed, and tells of its outcome once", async () => {
    const store = await openTestStore();
    const id = await leaveMessage(store, "hello");
    const posts: object[] = [];
    const host = await createTestHost({
      store,
      register: (api) => api.on("request_post", (event) => void posts.push(event)),
    });
    expect(await host.flow.recover()).toBe(0);
    expect(await host.flow.recover()).toBe(0);
    expect(await store.inbox.get(id)).toMatchObject({
      state: "failed",
      content: "hello",
      error: { code: "INTERRUPTED" },
    });
    expect(posts).toMatchObject([{ outcome: "failed", messageId: id }]);
  });

  it("closes replies that nobody waits for", async () => {
    const store = await openTestStore();
    const { row } = await store.outbox.add({
      runId: "run",
      part: 0,
      sessionKey: SESSION,
      target: { channel: "terminal", to: "terminal" },
      content: "too late",
    });
    const sent: object[] = [];
    const host = await createTestHost({
      store,
      register: (api) => api.on("message_sending", (event) => void sent.push(event)),
    });
    await host.flow.recover();
    expect(await store.outbox.get(row.id)).toMatchObject({
      state: "suppressed",
      reason: expect.stringContaining("nobody waited"),
    });
    expect(sent).toEqual([]);
  });

  it("closes a turn that another version stored in another form, and goes on", async () => {
    const store = await openTestStore();
    const unreadable = await leaveTurn(store, "old", { payload: { form: "other" } });
    const readable = await leaveTurn(store, "new");
    const host = await createTestHost({ store });
    expect(await host.flow.recover()).toBe(1);
    await host.flow.close();
    expect(await store.turns.get(unreadable)).toMatchObject({
      state: "failed",
      error: { code: "ROW_DATA", stage: "internal" },
    });
    expect(await store.turns.get(readable)).toMatchObject({ state: "completed" });
  });

  it("finds nothing in a new store", async () => {
    const { flow } = await createTestHost();
    expect(await flow.recover()).toBe(0);
  });
});
