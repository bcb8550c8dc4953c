import { describe, expect, it } from "vitest";
import { RowConstraintError, RowNotFoundError, RowStateError } from "../../src/errors.js";
import type { NewReply } from "../../src/index.js";
import { inbound, openTestStore, START, storeDatabase } from "../support/open-store.js";

function reply(changes: Partial<NewReply> = {}): NewReply {
  return {
    runId: "run",
    part: 0,
    sessionKey: "session",
    target: { channel: "test", to: "sender" },
    content: "answer",
    ...changes,
  };
}

describe("outbox.add", () => {
  it("stores every field of a reply and returns it after a reopen", async () => {
    const database = storeDatabase();
    const store = await openTestStore({ ...database, now: () => START });
    await store.messages.inbox.accept(inbound());
    const full = reply({
      inboxId: "message",
      target: { channel: "test", to: "sender", accountId: "account", threadId: "thread" },
      content: "\0 \ud800 answer",
      attachments: [{ mimeType: "image/png", bytes: 3 }],
      replyToId: "external",
    });
    const { row, duplicate } = await store.messages.outbox.add(full);
    expect(duplicate).toBe(false);
    expect(row).toEqual({ ...full, id: row.id, state: "pending", attempts: 0, createdAt: START });
    await store.close();
    const reopened = await openTestStore(database);
    expect(await reopened.messages.outbox.get(row.id)).toEqual(row);
  });

  it("returns the first row for a repeated run and part", async () => {
    const store = await openTestStore();
    const first = await store.messages.outbox.add(reply({ content: "once" }));
    const again = await store.messages.outbox.add(reply({ content: "twice" }));
    expect(again).toEqual({ row: first.row, duplicate: true });
    expect(first.row.attachments).toEqual([]);
    expect((await store.messages.outbox.add(reply({ part: 1 }))).duplicate).toBe(false);
    expect((await store.messages.outbox.add(reply({ runId: "other" }))).duplicate).toBe(false);
  });

  it("rejects a reply to a message that does not exist", async () => {
    const store = await openTestStore();
    const added = store.messages.outbox.add(reply({ inboxId: "nowhere" }));
    await expect(added).rejects.toThrow(RowNotFoundError);
    await expect(added).rejects.toThrow(
      "outbox.add(run, part 0): message nowhere does not exist; accept the message first, or leave inboxId out",
    );
  });

  it("passes on any other error of the database", async () => {
    const store = await openTestStore();
    await expect(store.messages.outbox.add(reply({ part: 0.5 }))).rejects.toThrow(
      RowConstraintError,
    );
    expect(await store.messages.outbox.undelivered()).toEqual([]);
  });
});

describe("outcome of a reply", () => {
  it("can be delivered, with or without the channel's message id", async () => {
    const store = await openTestStore({ now: () => START });
    const one = await store.messages.outbox.add(reply());
    const other = await store.messages.outbox.add(reply({ part: 1 }));
    const delivered = await store.messages.outbox.delivered(one.row.id, { messageId: "sent" });
    expect(delivered).toEqual({
      ...one.row,
      state: "delivered",
      messageId: "sent",
      settledAt: START,
    });
    const { messageId } = await store.messages.outbox.delivered(other.row.id);
    expect(messageId).toBeUndefined();
  });

  it("can be suppressed with a reason", async () => {
    const store = await openTestStore();
    const { row } = await store.messages.outbox.add(reply());
    const reason = "cancelled_by_message_sending_hook";
    await store.messages.outbox.suppressed(row.id, reason);
    expect(await store.messages.outbox.get(row.id)).toMatchObject({ state: "suppressed", reason });
  });

  it("can be failed with the last error and the number of attempts", async () => {
    const store = await openTestStore();
    const { row } = await store.messages.outbox.add(reply());
    const failure = { error: { code: "CHANNEL", message: "refused" }, attempts: 4 };
    await store.messages.outbox.failed(row.id, failure);
    expect(await store.messages.outbox.get(row.id)).toMatchObject({ state: "failed", ...failure });
  });

  it("is set once", async () => {
    const store = await openTestStore();
    const { row } = await store.messages.outbox.add(reply());
    await store.messages.outbox.delivered(row.id);
    const again = store.messages.outbox.suppressed(row.id, "late");
    await expect(again).rejects.toThrow(RowStateError);
    await expect(again).rejects.toThrow(/expected a row that is pending, but it is delivered/);
    const missing = store.messages.outbox.delivered("nowhere");
    await expect(missing).rejects.toThrow(RowNotFoundError);
    await expect(missing).rejects.toThrow(/^outbox\.delivered\(nowhere\): the part does not exist/);
    expect(await store.messages.outbox.get("nowhere")).toBeUndefined();
  });
});

describe("outbox.undelivered", () => {
  it("lists pending parts in the order they were added", async () => {
    const store = await openTestStore({ now: () => START });
    const ids: string[] = [];
    for (const part of [2, 0, 1])
      ids.push((await store.messages.outbox.add(reply({ part }))).row.id);
    await store.messages.outbox.delivered(ids[1] ?? "");
    expect((await store.messages.outbox.undelivered()).map(({ part }) => part)).toEqual([2, 1]);
  });
});

describe("outbox.divide", () => {
  it("keeps the first part in its row and adds the others, all or none", async () => {
    const store = await openTestStore();
    const { row } = await store.messages.outbox.add(reply());
    const rows = await store.messages.outbox.divide(row.id, ["one", "two", "three"], 4);
    expect(rows.map(({ part, content, state }) => [part, content, state])).toEqual([
      [0, "one", "pending"],
      [4, "two", "pending"],
      [5, "three", "pending"],
    ]);
    expect(rows[0]?.id).toBe(row.id);
    expect(await store.messages.outbox.undelivered()).toEqual(rows);

    await expect(store.messages.outbox.divide(row.id, ["other", "taken"], 5)).rejects.toThrow(
      RowStateError,
    );
    expect(await store.messages.outbox.get(row.id)).toMatchObject({ content: "one" });
  });

  it("rejects a part that is settled or does not exist", async () => {
    const store = await openTestStore();
    const { row } = await store.messages.outbox.add(reply());
    await store.messages.outbox.delivered(row.id);
    await expect(store.messages.outbox.divide(row.id, ["one"], 1)).rejects.toThrow(RowStateError);
    await expect(store.messages.outbox.divide("none", ["one"], 1)).rejects.toThrow(
      RowNotFoundError,
    );
  });
});

describe("outbox.suppressed", () => {
  it("stores the cancellation of the hook", async () => {
    const store = await openTestStore();
    const { row } = await store.messages.outbox.add(reply());
    const cancellation = { cancelReason: "quiet hours", metadata: { until: 7 } };
    const suppressed = await store.messages.outbox.suppressed(row.id, "cancelled", cancellation);
    expect(suppressed).toMatchObject({ state: "suppressed", reason: "cancelled", cancellation });
    expect(await store.messages.outbox.get(row.id)).toEqual(suppressed);
  });
});
