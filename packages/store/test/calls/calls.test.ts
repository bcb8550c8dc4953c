import { describe, expect, it } from "vitest";
import { RowDataError } from "../../src/errors.js";
import { openTestStore } from "../support/open-store.js";

const HOUR_MS = 60 * 60 * 1000;
const KEY = { callerId: "gateway", key: "one" };
const CALL = { ...KEY, method: "sessions.patch", digest: "a" };

describe("calls", () => {
  it("[GW-022] returns the outcome of an earlier call with the same key of the same caller", async () => {
    const store = await openTestStore();
    expect(await store.calls.begin(CALL)).toBeUndefined();
    expect(await store.calls.begin({ ...CALL, digest: "b" })).toEqual({ ...CALL, state: "begun" });
    await store.calls.settle(KEY, "succeeded", { label: "kept" });
    const known = { ...CALL, state: "succeeded", outcome: { label: "kept" } };
    expect(await store.calls.begin(CALL)).toEqual(known);
    expect(await store.calls.begin({ ...CALL, callerId: "other" })).toBeUndefined();
  });

  it("[GW-022] keeps a call for 24 hours", async () => {
    let now = 1_000_000_000_000;
    const store = await openTestStore({ now: () => now });
    await store.calls.begin(CALL);
    await store.calls.settle(KEY, "failed", { code: "NOT_FOUND" });
    now += 24 * HOUR_MS;
    expect(await store.retention.sweep()).toMatchObject({ call: 0 });
    expect(await store.calls.begin(CALL)).toMatchObject({ state: "failed" });
    now += 1;
    expect(await store.retention.sweep()).toMatchObject({ call: 1 });
    expect(await store.calls.begin(CALL)).toBeUndefined();
  });

  it("forgets a call that had no effect", async () => {
    const store = await openTestStore();
    await store.calls.begin(CALL);
    await store.calls.forget(KEY);
    expect(await store.calls.begin(CALL)).toBeUndefined();
  });

  it("does not keep an outcome of more than 256 KiB", async () => {
    const store = await openTestStore();
    await store.calls.begin(CALL);
    await store.calls.settle(KEY, "succeeded", "x".repeat(256 * 1024));
    expect(await store.calls.begin(CALL)).toEqual({ ...CALL, state: "oversized" });
  });

  it("[GW-330] erases the outcomes that name a conversation with its content, and no others", async () => {
    const store = await openTestStore();
    const keys = ["agent:main:job:a_b%c", "agent:main:job:aXbYc", "agent:main:job:a_b%c:more"];
    const [erased = "", ...others] = keys;
    for (const sessionKey of keys) {
      await store.calls.begin({ ...CALL, key: sessionKey });
      const outcome = { job: { sessionKey, title: "words" } };
      await store.calls.settle({ ...KEY, key: sessionKey }, "succeeded", outcome);
    }
    const { session } = await store.sessions.open(erased, { agentId: "main", channel: "test" });
    await store.sessions.erase(session.sessionId);
    expect(await store.calls.begin({ ...CALL, key: erased })).toEqual({
      ...{ ...CALL, key: erased },
      state: "erased",
    });
    for (const key of others) {
      expect(await store.calls.begin({ ...CALL, key })).toMatchObject({ state: "succeeded" });
    }
  });

  it("rejects an outcome that is not JSON", async () => {
    const store = await openTestStore();
    await store.calls.begin(CALL);
    const cyclic: Record<string, never> = {};
    Reflect.set(cyclic, "self", cyclic);
    await expect(store.calls.settle(KEY, "succeeded", cyclic)).rejects.toThrow(RowDataError);
  });
});
