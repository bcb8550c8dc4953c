import { randomUUID } from "node:crypto";
import { inboxMessage, writeTurnInput } from "@openclaw/messaging";
import type { JournalStep, Store } from "@openclaw/store";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestHost, gate, message, openTestStore, SESSION } from "../../support/host.js";

const MAY_BE_LOST =
  "My reply to this message may be missing, whole or in part: the host stopped while it was being sent, and does not send it twice. Ask for it again if you do not see it.";

/** Stores a queued turn, as a process leaves it that ends before the turn runs. */
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
  await store.messages.inbox.settle(id, { state: "queued", sessionKey: SESSION, runId });
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
  await store.messages.inbox.accept({
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

const REQUESTED: JournalStep = {
  kind: "model-requested",
  callId: "call",
  model: "scripted/script",
  digest: "0".repeat(64),
  messageCount: 2,
};

const ANSWERED: JournalStep = {
  kind: "model-answered",
  callId: "call",
  message: {
    role: "assistant",
    content: [{ type: "text", text: "as it came" }],
    provider: "scripted",
    model: "script",
    stopReason: "stop",
    timestamp: 1,
  },
};

describe("MessageRecovery", () => {
  it("runs queued turns in the order of their messages, without a receiver", async () => {
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
    expect(await store.messages.outbox.undelivered()).toEqual([]);
    const [session] = await store.sessions.list({ limit: 1 });
    expect(session?.messageCount).toBe(4);
  });

  it("makes a new message wait for the turns that were queued before", async () => {
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

  it("[HOST-027] resumes a turn that was running, and does not repeat a model call with a reply", async () => {
    const store = await openTestStore();
    const runId = await leaveTurn(store, "hello");
    await store.turns.begin(runId);
    await store.turns.journal.append({ runId, step: REQUESTED });
    await store.turns.journal.append({ runId, step: ANSWERED });
    const host = await createTestHost({ store });
    expect(await host.flow.recover()).toBe(1);
    await host.flow.close();
    expect(host.asked()).toEqual([]);
    expect(await store.turns.get(runId)).toMatchObject({ state: "completed", attempts: 2 });
    const [session] = await store.sessions.list({ limit: 1 });
    const entries = await store.messages.transcript.load(session?.sessionId ?? "");
    expect(entries.map(({ message: { content } }) => content)).toMatchObject([
      [{ text: "hello" }],
      [{ text: "as it came" }],
    ]);
  });

  it("[HOST-027] resumes a turn of the API whose caller has gone", async () => {
    const store = await openTestStore();
    const runId = await leaveTurn(store, "hello", { trigger: "api" });
    const host = await createTestHost({ store });
    expect(await host.flow.recover()).toBe(1);
    await host.flow.close();
    expect(await store.turns.get(runId)).toMatchObject({ state: "completed" });
  });

  it("[HOST-027] processes a message that had not become a turn, with all fields from its surface", async () => {
    const store = await openTestStore();
    const brought = message("hello", {
      sessionKey: "agent:main:other",
      threadId: "thread",
      userName: "Ada",
      extraInstructions: "Answer in Latin.",
      metadata: { tone: "kind" },
    });
    const { row } = await store.messages.inbox.accept(inboxMessage(brought, 1));
    const seen: object[] = [];
    const posts: object[] = [];
    const host = await createTestHost({
      store,
      register(api) {
        api.on("message_received", (event) => void seen.push(event));
        api.on("request_post", (event) => void posts.push(event));
      },
    });
    expect(await host.flow.recover()).toBe(0);
    const later = host.flow.receive(message("later", { sessionKey: "agent:main:other" }), {});
    await later;
    await host.flow.close();
    expect(seen).toMatchObject([{ content: "hello", metadata: { tone: "kind" } }, {}]);
    expect(host.asked()[0]).toContain("Answer in Latin.");
    expect(host.asked()[1]).toContain("later");
    expect(await store.messages.inbox.get(row.id)).toMatchObject({
      state: "queued",
      sessionKey: "agent:main:other",
    });
    expect(await store.messages.inbox.get(row.id)).toMatchObject({ request: undefined });
    expect(posts).toMatchObject([{ outcome: "queued", messageId: row.id }, {}]);
  });

  it("ends a blocked turn although nothing of its message is kept", async () => {
    const store = await openTestStore();
    const runId = await leaveTurn(store, "a private matter");
    await store.turns.begin(runId);
    await store.turns.eraseText(runId);
    const outcome = { status: "blocked", text: "Not here." };
    await store.turns.journal.append({ runId, step: { kind: "turn-concluded", outcome } });
    const shown: unknown[] = [];
    const host = await createTestHost({
      store,
      findSurface: () => ({
        async send({ text }) {
          shown.push(text);
          return {};
        },
      }),
    });
    expect(await host.flow.recover()).toBe(1);
    await host.flow.close();
    expect(shown).toEqual(["Not here."]);
    expect(await store.turns.get(runId)).toMatchObject({ state: "blocked" });
    expect(await store.turns.unfinished()).toEqual([]);
    expect(JSON.stringify(await store.messages.inbox.latest(SESSION))).not.toContain("private");
  });

  it("closes replies whose callers have gone", async () => {
    const store = await openTestStore();
    const { row } = await store.messages.outbox.add({
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
    expect(await store.messages.outbox.get(row.id)).toMatchObject({
      state: "suppressed",
      reason: expect.stringContaining("the caller had disconnected"),
    });
    expect(sent).toEqual([]);
  });

  describe("for unsent replies of an existing channel", () => {
    /** Creates a channel that records its messages, and optionally shows each key only once. */
    function channel(deduplicates: boolean) {
      const given: string[] = [];
      const shown = new Map<string, string>();
      const findSurface = () => ({
        deduplicates,
        async send(
          { text = "" }: { text?: string },
          { idempotencyKey }: { idempotencyKey: string },
        ) {
          given.push(text);
          shown.set(idempotencyKey, text);
          return {};
        },
      });
      return { given, shown, findSurface };
    }

    async function leaveReply(store: Store, content = "the reply") {
      const runId = await leaveTurn(store, "hello");
      const turn = await store.turns.begin(runId);
      await store.turns.finish(runId, { state: "completed" });
      const { row } = await store.messages.outbox.add({
        runId,
        part: 0,
        inboxId: turn.inboxId,
        sessionKey: SESSION,
        target: { channel: "terminal", to: "terminal" },
        content,
      });
      return { row, runId };
    }

    async function recovered(store: Store, options: Partial<Parameters<typeof createTestHost>[0]>) {
      const host = await createTestHost({ store, ...options });
      await host.flow.recover();
      await host.flow.close();
      return host;
    }

    it("sends a reply whose delivery had not started, through the hooks of every reply", async () => {
      const store = await openTestStore();
      const { row } = await leaveReply(store);
      const { given, findSurface } = channel(false);
      await recovered(store, {
        findSurface,
        register: (api) => api.on("message_sending", ({ content }) => ({ content: `${content}!` })),
      });
      expect(given).toEqual(["the reply!"]);
      expect(await store.messages.outbox.get(row.id)).toMatchObject({ state: "delivered" });
    });

    it.each([
      [true, ["the reply"], { state: "delivered" }],
      [false, [MAY_BE_LOST], { state: "failed", error: { code: "DELIVERY_UNKNOWN" } }],
    ])(
      "resends a reply that was being sent if the channel detects repeats (%s)",
      async (deduplicates, expected, state) => {
        const store = await openTestStore();
        const { row, runId } = await leaveReply(store);
        await store.turns.journal.append({
          runId,
          step: { kind: "part-sending", outboxId: row.id, part: 0 },
        });
        const { given, shown, findSurface } = channel(deduplicates);
        await recovered(store, { findSurface });
        expect(given).toEqual(expected);
        expect(shown.has(row.id)).toBe(deduplicates);
        expect(await store.messages.outbox.get(row.id)).toMatchObject(state);
      },
    );

    it("[CHAN-760] tells the sender once that a reply may be lost, and the clients of the session", async () => {
      const store = await openTestStore();
      const { row, runId } = await leaveReply(store);
      const sending = { kind: "part-sending", outboxId: row.id, part: 0 } as const;
      await store.turns.journal.append({ runId, step: sending });
      const first = channel(false);
      const undelivered: object[] = [];
      const publish = (name: string, payload: object) => {
        if (name === "chat.undelivered") undelivered.push(payload);
      };
      await recovered(store, { findSurface: first.findSurface, events: { publish } });
      expect(first.given).toEqual([MAY_BE_LOST]);
      expect(undelivered).toMatchObject([
        { sessionKey: SESSION, runId, text: "the reply", error: { code: "DELIVERY_UNKNOWN" } },
      ]);
      const second = channel(false);
      await recovered(store, { findSurface: second.findSurface });
      expect(second.given).toEqual([]);
      expect(await store.messages.outbox.undelivered()).toEqual([]);
    });

    it("[CHAN-760] sends no message about a notice whose own delivery is unknown", async () => {
      const store = await openTestStore();
      const { row, runId } = await leaveReply(store);
      const sending = { kind: "part-sending", outboxId: row.id, part: 0 } as const;
      await store.turns.journal.append({ runId, step: sending });
      // The host is killed while it sends the notice.
      let end: () => void = () => {};
      const ended = new Promise<object>((resolve) => {
        end = () => resolve({});
      });
      const given: string[] = [];
      const held = {
        deduplicates: false,
        send({ text = "" }: { text?: string }) {
          given.push(text);
          return ended;
        },
      };
      const killed = await createTestHost({ store, findSurface: () => held });
      onTestFinished(end);
      await killed.flow.recover();
      await vi.waitFor(() => expect(given).toEqual([MAY_BE_LOST]));
      const next = channel(false);
      await recovered(store, { findSurface: next.findSurface });
      expect(next.given).toEqual([]);
      expect(await store.messages.outbox.undelivered()).toEqual([]);
    });

    it("sends the remaining chunks of a reply without running the hooks for the whole reply again", async () => {
      const store = await openTestStore();
      const { row } = await leaveReply(store, "one two");
      const [first] = await store.messages.outbox.divide(row.id, ["one", "two"], 1);
      await store.messages.outbox.delivered(first?.id ?? "");
      const dispatched: object[] = [];
      const { given, findSurface } = channel(true);
      await recovered(store, {
        findSurface,
        register: (api) => api.on("before_dispatch", (event) => void dispatched.push(event)),
      });
      expect(given).toEqual(["two"]);
      expect(dispatched).toEqual([]);
      expect(await store.messages.outbox.undelivered()).toEqual([]);
    });

    it("does not send a reply that a plugin had started to deliver", async () => {
      const store = await openTestStore();
      const { row } = await leaveReply(store);
      const { row: own } = await store.messages.outbox.add({
        ...row,
        part: 1,
        content: "in my words",
      });
      await store.messages.outbox.delivered(own.id);
      const { given, findSurface } = channel(true);
      await recovered(store, { findSurface });
      expect(given).toEqual([]);
      expect(await store.messages.outbox.get(row.id)).toMatchObject({ state: "suppressed" });
    });

    it("sends the reply of a resumed turn to its channel", async () => {
      const store = await openTestStore();
      await leaveTurn(store, "hello");
      const { given, findSurface } = channel(true);
      await recovered(store, { findSurface });
      expect(given).toEqual(["ok"]);
    });
  });

  it("fails a turn that another version stored in a different form, and continues", async () => {
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

  it("resumes nothing in a new store", async () => {
    const { flow } = await createTestHost();
    expect(await flow.recover()).toBe(0);
  });
});
