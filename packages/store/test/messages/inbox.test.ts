import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RowNotFoundError, RowStateError } from "../../src/errors.js";
import { type InboundMessage, openStore } from "../../src/index.js";
import {
  affordable,
  briefDatabase,
  inbound,
  openTestStore,
  START,
  storeDatabase,
} from "../support/open-store.js";

describe("inbox.accept", () => {
  it("stores every field of a message and returns it after a reopen", async () => {
    const database = storeDatabase();
    const message = inbound({
      threadId: "thread",
      userName: "User",
      externalMessageId: "external",
      idempotencyKey: "key",
      attachments: [{ name: "a.png", mimeType: "image/png", bytes: 3, url: "https://host/a" }],
      metadata: { nested: { list: [1, null, "two", true] } },
    });
    const store = await openTestStore(database);
    const accepted = await store.messages.inbox.accept(message);
    expect(accepted).toEqual({ row: { ...message, state: "received" }, duplicate: false });
    await store.close();

    const reopened = await openTestStore(database);
    expect(await reopened.messages.inbox.get("message")).toEqual({ ...message, state: "received" });
  });

  it("returns no value for absent fields", async () => {
    const store = await openTestStore();
    const { row } = await store.messages.inbox.accept(inbound());
    const given = Object.entries(row).filter(([, value]) => value !== undefined);
    expect(given.map(([name]) => name).sort()).toEqual([...Object.keys(inbound()), "state"].sort());
  });

  it("returns the first row for a repeated external message id", async () => {
    const store = await openTestStore();
    const first = inbound({ id: "first", externalMessageId: "7", content: "once" });
    await store.messages.inbox.accept(first);
    const again = inbound({ id: "second", externalMessageId: "7", content: "twice" });
    expect(await store.messages.inbox.accept(again)).toEqual({
      row: { ...first, state: "received" },
      duplicate: true,
    });
    expect(await store.messages.inbox.get("second")).toBeUndefined();
  });

  it.each<[string, Partial<InboundMessage>]>([
    ["channel", { channel: "other" }],
    ["account", { accountId: "other" }],
    ["conversation", { conversationId: "other" }],
  ])("distinguishes the same external id in another %s", async (_, elsewhere) => {
    const store = await openTestStore();
    await store.messages.inbox.accept(inbound({ id: "first", externalMessageId: "7" }));
    const other = inbound({ id: "second", externalMessageId: "7", ...elsewhere });
    expect((await store.messages.inbox.accept(other)).duplicate).toBe(false);
  });

  it("returns the first row for a repeated idempotency key of any origin", async () => {
    const store = await openTestStore();
    await store.messages.inbox.accept(inbound({ id: "first", idempotencyKey: "key" }));
    const again = inbound({ id: "second", idempotencyKey: "key", channel: "other" });
    const { row, duplicate } = await store.messages.inbox.accept(again);
    expect([row.id, duplicate]).toEqual(["first", true]);
  });

  it("returns the first row for a repeated id", async () => {
    const store = await openTestStore();
    await store.messages.inbox.accept(inbound({ content: "once" }));
    const { row, duplicate } = await store.messages.inbox.accept(inbound({ content: "twice" }));
    expect([row.content, duplicate]).toEqual(["once", true]);
  });

  it("never treats two messages without keys as one", async () => {
    const store = await openTestStore();
    await store.messages.inbox.accept(inbound({ id: "first", externalMessageId: "7" }));
    await store.messages.inbox.accept(inbound({ id: "second" }));
    const third = await store.messages.inbox.accept(inbound({ id: "third" }));
    expect(third).toMatchObject({ row: { id: "third" }, duplicate: false });
  });

  it("accepts one of many deliveries of the same message at once", async () => {
    const store = await openTestStore();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.messages.inbox.accept(inbound({ id: `id ${index}`, externalMessageId: "7" })),
      ),
    );
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(answers.map(({ row }) => row.id)).size).toBe(1);
    expect(await store.messages.inbox.inState("received")).toHaveLength(1);
  });

  it("deduplicates like a linear search from the start", async () => {
    const key = fc.option(fc.constantFrom("1", "2"), { nil: undefined });
    const message = fc.record({
      channel: fc.constantFrom("a", "b"),
      conversationId: fc.constantFrom("x", "y"),
      externalMessageId: key,
      idempotencyKey: key,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        const store = await openStore(briefDatabase());
        const accepted: InboundMessage[] = [];
        for (const [index, { externalMessageId, idempotencyKey, ...rest }] of messages.entries()) {
          const next = inbound({
            id: String(index),
            ...rest,
            ...(externalMessageId !== undefined && { externalMessageId }),
            ...(idempotencyKey !== undefined && { idempotencyKey }),
          });
          const first = accepted.find((earlier) => isRepeat(earlier, next));
          if (first === undefined) accepted.push(next);
          const { row, duplicate } = await store.messages.inbox.accept(next);
          expect([row.id, duplicate]).toEqual([(first ?? next).id, first !== undefined]);
        }
        await store.close();
      }),
      { numRuns: affordable(40) },
    );
  });

  it("keeps names of object members, NUL, lone surrogates and every script unchanged", async () => {
    const store = await openTestStore();
    const odd = "\0 \\u0000 \ud800 \u{1f44b} \u202e 世界 ' \" ; drop table inbox";
    const message = inbound({
      id: odd,
      channel: "constructor",
      conversationId: "__proto__",
      senderId: odd,
      userName: odd,
      content: odd,
      metadata: JSON.parse('{"__proto__": {"polluted": true}, "constructor": "\\u0000"}'),
    });
    await store.messages.inbox.accept(message);
    const row = await store.messages.inbox.get(odd);
    expect(row).toEqual({ ...message, state: "received" });
    expect(JSON.stringify(row?.metadata)).toBe(JSON.stringify(message.metadata));
    expect(Object.hasOwn(row?.metadata ?? {}, "__proto__")).toBe(true);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("distinguishes external ids that differ only in a lone surrogate", async () => {
    const store = await openTestStore();
    await store.messages.inbox.accept(inbound({ id: "first", externalMessageId: "\ud800" }));
    const other = inbound({ id: "second", externalMessageId: "\ud801" });
    expect((await store.messages.inbox.accept(other)).duplicate).toBe(false);
  });
});

describe("inbox.settle", () => {
  it("sets the outcome of a received message once", async () => {
    const store = await openTestStore();
    await store.messages.inbox.accept(inbound());
    const settled = await store.messages.inbox.settle("message", {
      state: "queued",
      sessionKey: "session",
      runId: "run",
    });
    expect(settled).toEqual({
      ...inbound(),
      state: "queued",
      sessionKey: "session",
      runId: "run",
      settledAt: expect.any(Number),
    });
    expect(await store.messages.inbox.get("message")).toEqual(settled);

    const again = store.messages.inbox.settle("message", { state: "cancelled" });
    await expect(again).rejects.toThrow(RowStateError);
    await expect(again).rejects.toThrow(
      "inbox.settle(message, cancelled): expected a row that is received, but it is queued",
    );
    expect((await store.messages.inbox.get("message"))?.state).toBe("queued");
  });

  it.each(["answered", "claimed", "cancelled"] as const)("marks a message as %s", async (state) => {
    const store = await openTestStore({ now: () => START });
    await store.messages.inbox.accept(inbound());
    const settled = await store.messages.inbox.settle("message", { state });
    expect(settled).toEqual({ ...inbound(), state, settledAt: START });
  });

  it("stores why a message failed", async () => {
    const store = await openTestStore();
    await store.messages.inbox.accept(inbound());
    const error = { code: "HOOK_THREW", message: "handler of plugin p threw" };
    await store.messages.inbox.settle("message", { state: "failed", error });
    expect((await store.messages.inbox.get("message"))?.error).toEqual(error);
  });

  it("rejects a message that does not exist", async () => {
    const store = await openTestStore();
    const settled = store.messages.inbox.settle("nowhere", { state: "answered" });
    await expect(settled).rejects.toThrow(RowNotFoundError);
    await expect(settled).rejects.toThrow(
      "inbox.settle(nowhere, answered): the message does not exist; accept it first",
    );
  });
});

describe("inbox.inState", () => {
  it("lists messages in the order of their commits, whatever their ids and clocks say", async () => {
    const store = await openTestStore();
    for (const [id, receivedAt] of [
      ["z", 3],
      ["a", 2],
      ["m", 1],
    ] as const) {
      await store.messages.inbox.accept(inbound({ id, receivedAt }));
    }
    await store.messages.inbox.settle("a", { state: "answered" });
    const ids = async (state: "received" | "answered") =>
      (await store.messages.inbox.inState(state)).map(({ id }) => id);
    expect(await ids("received")).toEqual(["z", "m"]);
    expect(await ids("answered")).toEqual(["a"]);
  });
});

describe("inbox.latest", () => {
  it("returns the last accepted message that was routed to a session", async () => {
    const store = await openTestStore();
    for (const [id, sessionKey, receivedAt] of [
      ["z", "mine", 3],
      ["a", "mine", 2],
      ["m", "other", 4],
    ] as const) {
      await store.messages.inbox.accept(inbound({ id, receivedAt }));
      await store.messages.inbox.settle(id, { state: "queued", sessionKey, runId: id });
    }
    await store.messages.inbox.accept(inbound({ id: "not routed" }));
    expect(await store.messages.inbox.latest("mine")).toMatchObject({
      id: "a",
      sessionKey: "mine",
    });
    expect(await store.messages.inbox.latest("other")).toMatchObject({ id: "m" });
    expect(await store.messages.inbox.latest("nobody's")).toBeUndefined();
    await store.messages.inbox.accept(inbound({ id: "note", channel: "api" }));
    await store.messages.inbox.settle("note", { state: "queued", sessionKey: "mine", runId: "n" });
    expect(await store.messages.inbox.latest("mine")).toMatchObject({ id: "note" });
    expect(await store.messages.inbox.latest("mine", ["api", "cli"])).toMatchObject({ id: "a" });
  });
});

function isRepeat(earlier: InboundMessage, next: InboundMessage): boolean {
  const sameKey =
    next.idempotencyKey !== undefined && next.idempotencyKey === earlier.idempotencyKey;
  const sameExternal =
    next.externalMessageId !== undefined &&
    next.externalMessageId === earlier.externalMessageId &&
    next.channel === earlier.channel &&
    next.conversationId === earlier.conversationId;
  return sameKey || sameExternal;
}
