import { expect, it } from "vitest";
import { BridgeState } from "../../src/adapter/state.js";
import { memoryStore } from "../support/direct-channel.js";

function newState() {
  const kv = memoryStore();
  const clock = { ms: 1000 };
  const state = new BridgeState({ kv, prefix: "acme/default/", now: () => clock.ms });
  return { kv, clock, state };
}

it("stores values without an expiry, and keeps the others in memory until they expire", async () => {
  const { kv, clock, state } = newState();
  await state.set("install", { token: "t", none: undefined });
  await state.set("user", "Alice", 500);
  expect([...kv.values]).toEqual([["acme/default/install", { token: "t" }]]);
  expect(await state.get("user")).toBe("Alice");
  clock.ms += 500;
  expect(await state.get("user")).toBeNull();
  expect(await state.get("install")).toEqual({ token: "t" });
  await state.delete("install");
  expect(await state.get("install")).toBeNull();
  expect(await state.setIfNotExists("once", 1)).toBe(true);
  expect(await state.setIfNotExists("once", 2)).toBe(false);
  await state.subscribe("thread");
  expect(await state.isSubscribed("thread")).toBe(true);
  await state.unsubscribe("thread");
  expect(await state.isSubscribed("thread")).toBe(false);
});

it("forgets cached values of a failed request, so that a repeat is not taken for a duplicate", async () => {
  const { state } = newState();
  const failing = state.request(async () => {
    await state.set("seen", true, 500);
    expect(await state.get("seen")).toBe(true);
    throw new Error("not stored");
  });
  await expect(failing).rejects.toThrow("not stored");
  expect(await state.get("seen")).toBeNull();
  await state.request(() => state.set("seen", true, 500));
  expect(await state.get("seen")).toBe(true);
});

it("keeps lists of a maximum length, locks with an expiry, and queues", async () => {
  const { clock, state } = newState();
  for (const value of [1, 2, 3])
    await state.appendToList("list", value, { maxLength: 2, ttlMs: 9 });
  expect(await state.getList("list")).toEqual([2, 3]);
  const lock = await state.acquireLock("thread", 100);
  if (lock === null) throw new Error("expected a lock");
  expect(await state.acquireLock("thread", 100)).toBeNull();
  expect(await state.extendLock(lock, 200)).toBe(true);
  clock.ms += 200;
  expect(await state.extendLock(lock, 200)).toBe(false);
  const next = await state.acquireLock("thread", 100);
  await state.releaseLock(lock);
  expect(await state.acquireLock("thread", 100)).toBeNull();
  if (next !== null) await state.releaseLock(next);
  expect(await state.acquireLock("thread", 100)).not.toBeNull();
  await state.forceReleaseLock("thread");
  expect(await state.queueDepth("thread")).toBe(0);
  expect(await state.dequeue("thread")).toBeNull();
});
