import { describe, expect, it } from "vitest";
import { EARLIER_PART_FAILED, type NewReply } from "../../src/index.js";
import { openTestStore } from "../support/open-store.js";

const FAILURE = { code: "SEND_FAILED", message: "the line is dead" };

function part(changes: Partial<NewReply> = {}): NewReply {
  const target = { channel: "test", to: "sender" };
  return { runId: "run", part: 0, sessionKey: "session", target, content: "text", ...changes };
}

/** A store with a reply of four parts, of which the second failed and one after it was not sent, and a dead item. */
async function withFailures() {
  const store = await openTestStore();
  const { outbox } = store.messages;
  const ids: string[] = [];
  for (const number of [0, 1, 2, 3]) ids.push((await outbox.add(part({ part: number }))).row.id);
  const [sent = "", failed = "", left = "", hooked = ""] = ids;
  await outbox.delivered(sent);
  await outbox.failed(failed, { error: FAILURE, attempts: 4 });
  await outbox.suppressed(left, EARLIER_PART_FAILED);
  await outbox.suppressed(hooked, "cancelled_by_message_sending_hook");
  await outbox.add(part({ runId: "other" }));
  const options = { key: "a:b", retry: { attempts: 1, backoffMs: 1 } };
  await store.queues.enqueue("embedding", { id: 1 }, options);
  await store.queues.enqueue("embedding", { id: 2 });
  const taken = await store.queues.take("embedding", "one", { ttlMs: 1000, key: "a:b" });
  if (taken === undefined) throw new Error("there is no item to take");
  await store.queues.fail(taken, FAILURE);
  return { store, failed, left };
}

describe("work that failed for good", () => {
  it("[SCALE-014] is counted and listed for all queues, with its failure", async () => {
    const { store, failed } = await withFailures();
    expect(await store.deadItems.counts()).toEqual([
      { queue: "turn", open: 0, dead: 0 },
      { queue: "reply", open: 1, dead: 1 },
      { queue: "embedding", open: 1, dead: 1 },
    ]);
    const reply = { queue: "reply", key: failed, attempts: 4, failure: FAILURE };
    const item = { queue: "embedding", key: "a:b", attempts: 1, failure: FAILURE };
    const all = await store.deadItems.list({ limit: 10 });
    expect(all).toHaveLength(2);
    expect(all).toEqual(
      expect.arrayContaining([expect.objectContaining(reply), expect.objectContaining(item)]),
    );
    expect(await store.deadItems.list({ queue: "reply", limit: 10 })).toMatchObject([reply]);
    expect(await store.deadItems.list({ queue: "embedding", limit: 1 })).toMatchObject([item]);
    expect(await store.deadItems.get("embedding", "absent")).toBeUndefined();
    await expect(store.deadItems.list({ limit: 0 })).rejects.toThrow("deadItems.list");
  });

  it("[SCALE-014] is pending again with the parts that were not sent because of it, once", async () => {
    const { store, failed, left } = await withFailures();
    const reopened = await Promise.all([
      store.deadItems.reopenReply(failed),
      store.deadItems.reopenReply(failed),
    ]);
    expect(reopened.map((parts) => parts.length).sort()).toEqual([0, 2]);
    expect(reopened.flat()).toMatchObject([
      { id: failed, state: "pending", attempts: 0 },
      { id: left, state: "pending", attempts: 0 },
    ]);
    expect(reopened.flat()[0]?.error).toBeUndefined();
    await store.messages.outbox.delivered(failed);
    expect(await store.deadItems.reopenReply(failed)).toEqual([]);
    expect(await store.deadItems.list({ queue: "reply", limit: 10 })).toEqual([]);
  });

  it("[SCALE-014] is discarded, and is then listed no more", async () => {
    const { store, failed } = await withFailures();
    expect(await store.deadItems.discard("reply", failed)).toBe(true);
    expect(await store.deadItems.discard("reply", failed)).toBe(false);
    expect(await store.messages.outbox.get(failed)).toMatchObject({ state: "suppressed" });
    expect(await store.deadItems.discard("embedding", "a:b")).toBe(true);
    expect(await store.deadItems.discard("embedding", "a:b")).toBe(false);
    expect(await store.deadItems.list({ limit: 10 })).toEqual([]);
    expect(await store.queues.list("embedding", { limit: 10 })).toMatchObject([
      { payload: { id: 2 }, state: "waiting" },
    ]);
  });
});
