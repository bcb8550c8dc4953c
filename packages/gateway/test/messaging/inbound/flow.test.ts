import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { CataloguedHookName, HookMap } from "@openclaw/plugin-sdk/hooks";
import { RowStateError, StoreUnavailableError } from "@openclaw/store/errors";
import { describe, expect, it, vi } from "vitest";
import {
  createTestHost,
  gate,
  message,
  openTestStore,
  SESSION,
  type TestHost,
} from "../../support/host.js";

/** Records every dispatch of some hooks, in order. */
function witness(api: OpenClawPluginApi, names: readonly CataloguedHookName[]) {
  const seen: { name: string; event: object; context: object }[] = [];
  for (const name of names) {
    api.on(name, (event: object, context: object) => void seen.push({ name, event, context }));
  }
  return seen;
}

async function turnOf(host: TestHost, runId: string) {
  return host.store.turns.get(runId);
}

describe("MessageFlow", () => {
  it("[TURN-001] stores a message as one inbox row with all its fields", async () => {
    const { flow, store } = await createTestHost({ now: () => 1_700_000_000_000 });
    const { messageId } = await flow.receive(
      message("hello", {
        channel: "signal",
        accountId: "work",
        conversationId: "chat-9",
        threadId: "topic-2",
        senderId: "+49",
        userName: "Bob",
        senderIsOwner: false,
        externalMessageId: "17",
        attachments: [{ mimeType: "image/png", bytes: 3 }],
        metadata: { source: "phone" },
      }),
      {},
    );
    expect(messageId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(await store.messages.inbox.get(messageId)).toMatchObject({
      id: messageId,
      channel: "signal",
      accountId: "work",
      conversationId: "chat-9",
      threadId: "topic-2",
      senderId: "+49",
      userName: "Bob",
      externalMessageId: "17",
      content: "hello",
      attachments: [{ mimeType: "image/png", bytes: 3 }],
      receivedAt: 1_700_000_000_000,
      metadata: { source: "phone", senderIsOwner: false },
      state: "queued",
    });
  });

  it("[TURN-001] stores a message before any hook sees it, and acknowledges it only then", async () => {
    const steps: string[] = [];
    const store = await openTestStore();
    const { flow } = await createTestHost({
      store,
      register: (api) =>
        api.on("message_receiving", async ({ messageId = "" }) => {
          const row = await store.messages.inbox.get(messageId);
          steps.push(`hook sees ${row?.state} ${row?.content}`);
        }),
    });
    await flow.receive(message("hello"), {
      onStored: () => void steps.push("acknowledged"),
    });
    expect(steps).toEqual(["acknowledged", "hook sees received hello"]);
  });

  it("runs a message as a turn of its session, and delivers and stores the reply", async () => {
    const host = await createTestHost({
      script: [{ text: "Good day.", usage: { input: 3, output: 2 } }],
    });
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toMatchObject({
      status: "replied",
      text: "Good day.",
      stopReason: "stop",
      usage: { input: 3, output: 2 },
    });
    if (outcome.status !== "replied") return;
    const { runId, messageId } = outcome;
    expect(await host.store.messages.inbox.get(messageId)).toMatchObject({
      state: "queued",
      sessionKey: SESSION,
      runId,
      content: "hello",
    });
    expect(await turnOf(host, runId)).toMatchObject({
      state: "completed",
      stopReason: "stop",
      trigger: "user",
      inboxId: messageId,
    });
    expect(await host.store.messages.outbox.undelivered()).toEqual([]);
  });

  it("rejects a message without text before storing it", async () => {
    const { flow, store } = await createTestHost();
    await expect(flow.receive(message(" \n"), {})).rejects.toMatchObject({
      code: "MESSAGE_REFUSED",
      reason: "empty",
    });
    expect(await store.messages.inbox.inState("received")).toEqual([]);
  });

  it.each([
    ["the caller's own key", { idempotencyKey: "once" }],
    ["the surface's own id", { externalMessageId: "17" }],
  ])("[TURN-002] [HCR-020] accepts a message with %s once, also a week later", async (_, key) => {
    let hooks = 0;
    let now = 1_700_000_000_000;
    const store = await openTestStore(() => now);
    const { flow, asked, services } = await createTestHost({
      store,
      now: () => now,
      register(api) {
        for (const hook of ["message_receiving", "message_received", "request_post"] as const) {
          api.on(hook, () => void hooks++);
        }
      },
    });
    const outcomes = await Promise.all([
      flow.receive(message("hello", key), {}),
      flow.receive(message("hello", key), {}),
    ]);
    now += 7 * 24 * 3_600_000;
    const again = await flow.receive(message("hello", key), {
      onStored: () => expect.unreachable("a repeat is not stored"),
    });
    const [first] = outcomes;
    expect(outcomes.map(({ status }) => status)).toEqual(["replied", "duplicate"]);
    expect(again).toEqual({ status: "duplicate", messageId: first?.messageId });
    expect(asked()).toHaveLength(1);
    expect(hooks).toBe(3);
    expect(services.counters.values()).toMatchObject({ inbound_duplicates_total: 2 });
    const elsewhere = { ...key, conversationId: "elsewhere" };
    const isKeyOfConversation = "externalMessageId" in key;
    expect(await flow.receive(message("hello", elsewhere), {})).toMatchObject({
      status: isKeyOfConversation ? "replied" : "duplicate",
    });
  });

  it("[TURN-002] never treats a message without a key as a repeat", async () => {
    const { flow, asked } = await createTestHost();
    await flow.receive(message("hello"), {});
    await flow.receive(message("hello"), {});
    expect(asked()).toHaveLength(2);
  });

  it("starts a session once", async () => {
    let seen: ReturnType<typeof witness> = [];
    const { flow } = await createTestHost({
      register: (api) => {
        seen = witness(api, ["session_start"]);
      },
    });
    await Promise.all([
      flow.receive(message("one"), {}),
      flow.receive(message("two"), {}),
      flow.receive(message("three", { sessionKey: "agent:main:other" }), {}),
    ]);
    await flow.receive(message("four"), {});
    expect(seen.map(({ event }) => event)).toMatchObject([
      { sessionId: expect.any(String), sessionKey: SESSION, reason: "new" },
      { sessionId: expect.any(String), sessionKey: "agent:main:other", reason: "new" },
    ]);
    expect(seen[0]?.context).toMatchObject({ agentId: "main", sessionKey: SESSION });
  });

  it("[TURN-011] [HCR-020] reports a message once, when its outcome is stored", async () => {
    const posts: HookMap["request_post"]["event"][] = [];
    const stored: unknown[] = [];
    const store = await openTestStore();
    const { flow } = await createTestHost({
      store,
      register(api) {
        api.on(
          "message_received",
          ({ content }) => {
            if (content === "fail") throw new Error("broken");
          },
          { mode: "fail-closed" },
        );
        api.on("message_receiving", ({ content }) => ({ cancel: content === "cancel" }));
        api.on("inbound_claim", ({ content }) => ({ handled: content === "claim" }));
        api.on("request_post", async (event) => {
          posts.push(event);
          stored.push((await store.messages.inbox.get(event.messageId))?.state);
        });
      },
    });
    const rows: unknown[] = [];
    for (const text of ["cancel", "claim", "queue", "/new", "fail"]) {
      const { messageId } = await flow.receive(message(text), {});
      rows.push((await store.messages.inbox.get(messageId))?.state);
    }
    expect(stored).toEqual(rows);
    for (const post of posts) {
      expect(post).toMatchObject({ durationMs: expect.any(Number), messageId: expect.any(String) });
    }
    expect(posts[0]?.content).toBeUndefined();
    expect(posts).toMatchObject([
      { outcome: "cancelled", durationMs: expect.any(Number), messageId: expect.any(String) },
      { outcome: "claimed", content: "claim" },
      {
        outcome: "queued",
        content: "queue",
        sessionKey: SESSION,
        sessionId: expect.any(String),
        runId: expect.any(String),
        route: { agentId: "main", channel: "terminal", to: "terminal", accountId: "default" },
      },
      { outcome: "answered", answeredBy: "command", content: "/new", sessionKey: SESSION },
      { outcome: "failed", error: expect.stringContaining("guard") },
    ]);
    expect(rows).toEqual(["cancelled", "claimed", "queued", "answered", "failed"]);
  });

  it("runs the inbound hooks in their order", async () => {
    let seen: ReturnType<typeof witness> = [];
    const { flow } = await createTestHost({
      register: (api) => {
        seen = witness(api, [
          "before_model_resolve",
          "request_post",
          "session_start",
          "inbound_claim",
          "message_received",
          "message_receiving",
        ]);
      },
    });
    await flow.receive(message("hello"), {});
    expect(seen.map(({ name }) => name)).toEqual([
      "message_receiving",
      "message_received",
      "inbound_claim",
      "session_start",
      "request_post",
      "before_model_resolve",
    ]);
    expect(seen[0]?.context).toMatchObject({
      messageProvider: "terminal",
      conversationId: "terminal",
      senderId: "operator",
      senderIsOwner: true,
    });
  });
});

describe("messages of one session", () => {
  it("are answered one at a time, in the order of their arrival", async () => {
    const running = new Set<string>();
    let most = 0;
    const answered: string[] = [];
    const runs = new Set<string | undefined>();
    const { flow } = await createTestHost({
      register(api) {
        api.on("before_prompt_build", ({ prompt }) => {
          running.add(prompt);
          most = Math.max(most, running.size);
        });
        api.on("agent_end", ({ runId }) => {
          const [prompt = ""] = running;
          running.delete(prompt);
          answered.push(prompt);
          runs.add(runId);
        });
      },
    });
    const texts = ["one", "two", "three", "four"];
    await Promise.all(texts.map((text) => flow.receive(message(text), {})));
    expect(most).toBe(1);
    expect(answered).toEqual(texts);
    expect(runs.size).toBe(texts.length);
    expect(runs).not.toContain(undefined);
  });

  it("do not overtake each other in hooks of different duration", async () => {
    const slow = gate();
    const { flow, asked } = await createTestHost({
      register: (api) =>
        api.on("message_receiving", async ({ content }) => {
          if (content === "first") await slow.passed;
        }),
    });
    const first = flow.receive(message("first"), {});
    const second = flow.receive(message("second"), {});
    const other = await flow.receive(message("elsewhere", { sessionKey: "agent:main:other" }), {});
    expect(other.status).toBe("replied");
    slow.pass();
    await Promise.all([first, second]);
    expect(asked().map((request) => /elsewhere|first|second/.exec(request)?.[0])).toEqual([
      "elsewhere",
      "first",
      "first",
    ]);
    expect(asked()[2]).toContain("second");
  });
});

describe("message that fails after it was stored", () => {
  it.each(["message_received", "inbound_claim"] as const)(
    "ends as failed when a fail-closed %s throws, and the next one is answered",
    async (hook) => {
      const posts: object[] = [];
      const { flow, store, lines } = await createTestHost({
        register(api) {
          api.on(
            hook,
            (event) => {
              if (event.content === "bad") throw new Error("the guard is broken");
            },
            { mode: "fail-closed" },
          );
          api.on("request_post", (event) => void posts.push(event));
        },
      });
      const outcome = await flow.receive(message("bad"), {});
      expect(outcome).toMatchObject({
        status: "failed",
        error: { code: "HOOK_THREW", retryable: false },
      });
      expect(outcome).not.toHaveProperty("runId");
      expect(await store.messages.inbox.get(outcome.messageId)).toMatchObject({
        state: "failed",
        error: { code: "HOOK_THREW", message: expect.stringContaining("guard") },
      });
      expect(posts).toMatchObject([
        {
          outcome: "failed",
          messageId: outcome.messageId,
          error: expect.stringContaining("guard"),
        },
      ]);
      expect(lines).toContainEqual(
        expect.stringMatching(/^error: a message failed before its turn/),
      );
      expect(await flow.receive(message("good"), {})).toMatchObject({ status: "replied" });
    },
  );

  it("is cancelled with the reason when a fail-closed message_receiving throws", async () => {
    const { flow, store } = await createTestHost({
      register: (api) =>
        api.on(
          "message_receiving",
          () => {
            throw new Error("a secret of the plugin");
          },
          { mode: "fail-closed" },
        ),
    });
    const outcome = await flow.receive(message("hello"), {});
    expect(outcome).toMatchObject({
      status: "withheld",
      reason: expect.stringContaining('plugin "guard"'),
    });
    expect(JSON.stringify(outcome)).not.toContain("a secret");
    expect(await store.messages.inbox.get(outcome.messageId)).toMatchObject({ state: "cancelled" });
  });

  it("continues when a fail-open hook throws", async () => {
    const { flow } = await createTestHost({
      register(api) {
        for (const hook of ["message_receiving", "message_received", "inbound_claim"] as const) {
          api.on(hook, () => {
            throw new Error("broken");
          });
        }
      },
    });
    expect(await flow.receive(message("hello"), {})).toMatchObject({ status: "replied" });
  });

  it("ends as failed when its turn could not be stored, and leaves nothing of the turn", async () => {
    const host = await createTestHost();
    const { transaction } = host.store;
    vi.spyOn(host.store, "transaction").mockImplementation(
      (work) =>
        transaction.call(host.store, async (unit) => {
          await work(unit);
          throw new Error("the disk is full");
        }) as Promise<never>,
    );
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toMatchObject({
      status: "failed",
      error: { code: "UNEXPECTED", message: "the disk is full" },
    });
    expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({
      state: "failed",
    });
    expect(await host.store.turns.unfinished()).toEqual([]);
    expect(await host.store.sessions.get(SESSION)).toBeUndefined();
  });

  it("reports its failure to the caller even when the outcome cannot be stored", async () => {
    const host = await createTestHost({
      register: (api) =>
        api.on(
          "inbound_claim",
          () => {
            throw new Error("broken");
          },
          { mode: "fail-closed" },
        ),
    });
    vi.spyOn(host.store.messages.inbox, "settle").mockRejectedValue(new Error("the disk is full"));
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toMatchObject({ status: "failed", error: { code: "HOOK_THREW" } });
    expect(host.lines).toContain(
      "error: the outcome of a message could not be stored: the disk is full",
    );
    vi.restoreAllMocks();
    expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({
      state: "received",
    });
    await host.flow.recover();
    await host.flow.close();
    expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({
      state: "failed",
      error: { code: "HOOK_THREW" },
    });
  });

  it("[TURN-001] throws to the caller when it could not be stored, and is not acknowledged", async () => {
    const { flow, store } = await createTestHost();
    const full = new RowStateError("inbox.accept", "full", "free", "free space");
    vi.spyOn(store.messages.inbox, "accept").mockRejectedValue(full);
    vi.spyOn(store, "transaction").mockRejectedValue(full);
    const onStored = () => expect.unreachable("it is not stored");
    await expect(flow.receive(message("hello"), { onStored })).rejects.toBe(full);
  });

  it("[TURN-001] is the caller's exception when the database of the message and its turn is gone", async () => {
    const { flow, store } = await createTestHost();
    const gone = new StoreUnavailableError("store.db", "flush-failed");
    vi.spyOn(store, "transaction").mockRejectedValue(gone);
    const onStored = () => expect.unreachable("it is not stored");
    await expect(flow.receive(message("hello"), { onStored })).rejects.toBe(gone);
    expect(await store.messages.inbox.inState("received")).toEqual([]);
  });

  it("ends as failed when its surface throws before the hooks", async () => {
    const { flow, store } = await createTestHost({
      register: (api) => api.on("message_received", () => undefined),
    });
    const outcome = await flow.receive(message("hello"), {
      onStored() {
        throw new Error("the connection broke");
      },
    });
    expect(outcome).toMatchObject({ status: "failed", error: { message: "the connection broke" } });
    expect(await store.messages.inbox.get(outcome.messageId)).toMatchObject({ state: "failed" });
  });

  it("is answered when its surface throws after its turn was stored", async () => {
    const { flow, lines } = await createTestHost();
    const outcome = await flow.receive(message("hello"), {
      onStored() {
        throw new Error("the connection broke");
      },
    });
    expect(outcome).toMatchObject({ status: "replied" });
    expect(lines).toContain(
      "error: a surface could not take that its message is stored: the connection broke",
    );
  });
});

describe("MessageFlow.close", () => {
  it("waits for running hooks and turns, and accepts no new messages", async () => {
    const [hook, model] = [gate(), gate()];
    const { flow } = await createTestHost({
      script: [{ text: "done", waitFor: model.passed }, { text: "done" }],
      register: (api) =>
        api.on("message_receiving", async ({ content }) => {
          if (content === "in a hook") await hook.passed;
        }),
    });
    const inTurn = flow.receive(message("in a turn"), {});
    const inHook = flow.receive(message("in a hook", { sessionKey: "agent:main:other" }), {});
    let isClosed = false;
    const closed = flow.close().then(() => {
      isClosed = true;
    });
    await expect(flow.receive(message("late"), {})).rejects.toMatchObject({
      code: "MESSAGE_REFUSED",
      reason: "stopping",
    });
    hook.pass();
    expect(await inHook).toMatchObject({ status: "replied" });
    expect(isClosed).toBe(false);
    model.pass();
    expect(await inTurn).toMatchObject({ status: "replied" });
    await closed;
  });

  it("interrupts running turns when the host ends, and leaves queued ones to the next start", async () => {
    const asked = gate();
    const host = await createTestHost({
      script: () => {
        asked.pass();
        return { text: "never", waitFor: new Promise(() => {}) };
      },
    });
    const running = host.flow.receive(message("running"), {});
    const waiting = host.flow.receive(message("waiting"), {});
    await asked.passed;
    const closed = host.flow.close();
    host.ending.abort(new Error("stop"));
    const outcomes = await Promise.all([running, waiting]);
    await closed;
    expect(outcomes).toMatchObject([{ status: "interrupted" }, { status: "interrupted" }]);
    const states = await Promise.all(
      outcomes.map(async (outcome) =>
        "runId" in outcome ? (await turnOf(host, outcome.runId ?? ""))?.state : undefined,
      ),
    );
    expect(states).toEqual(["interrupted", "queued"]);

    const next = await createTestHost({ store: host.store });
    expect(await next.flow.recover()).toBe(1);
    await next.flow.close();
    expect(next.asked()).toHaveLength(1);
    expect(next.asked()[0]).toContain("waiting");
  });
});
