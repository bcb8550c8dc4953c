import type { Timers } from "@openclaw/foundation";
import type { Store } from "@openclaw/store";
import { StoreUnavailableError } from "@openclaw/store/errors";
import { describe, expect, it } from "vitest";
import { createTestHost, message, openTestStore } from "../../support/host.js";

/** Creates a store that fails while it is broken. */
async function breakableStore() {
  const store = await openTestStore();
  const fault = { isOn: false };
  const guarded = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value === "object" && value !== null) return guarded(value);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) =>
          fault.isOn
            ? Promise.reject(new StoreUnavailableError("store.db", "full"))
            : Reflect.apply(value, target, args);
      },
    });
  const broken: Store = guarded(store);
  return { store, broken, fault };
}

/** Creates timers that fire when the test runs them. */
function heldTimers() {
  const waiting = new Map<object, { callback: () => void; ms: number }>();
  const timers: Timers = {
    setTimeout(callback, ms) {
      const handle = {};
      waiting.set(handle, { callback, ms });
      return handle;
    },
    clearTimeout: (handle) => void waiting.delete(handle as object),
  };
  const pauses = () => [...waiting.values()].map(({ ms }) => ms).filter((ms) => ms <= 30_000);
  const pass = (ms: number) => {
    for (const [handle, timer] of waiting) {
      if (timer.ms !== ms) continue;
      waiting.delete(handle);
      timer.callback();
    }
  };
  return { timers, pauses, pass };
}

describe("storeEndLater", () => {
  it("[SCALE-031] stores the end of a turn once the database is available again", async () => {
    const { store, broken, fault } = await breakableStore();
    const { timers, pauses, pass } = heldTimers();
    const host = await createTestHost({
      store: broken,
      timers,
      script: () => {
        fault.isOn = true;
        return { text: "an answer that nobody keeps" };
      },
    });
    const outcome = await host.flow.receive(message("hello"), {});
    expect(outcome).toMatchObject({ status: "failed", error: { code: "STORE_UNAVAILABLE" } });
    expect(await store.turns.unfinished()).toHaveLength(1);

    pass(1000);
    await expect.poll(pauses).toContain(2000);
    pass(2000);
    await expect.poll(pauses).toContain(4000);
    fault.isOn = false;
    pass(4000);
    await expect
      .poll(() => host.lines)
      .toContain("info: the end of a turn was stored after a delay");
    expect(await store.turns.unfinished()).toEqual([]);
    const { runId = "" } = outcome as { runId?: string };
    expect(await store.turns.get(runId)).toMatchObject({
      state: "failed",
      error: { code: "STORE_UNAVAILABLE" },
    });
  });

  it("leaves the turn to the next start when the host ends before", async () => {
    const { store, broken, fault } = await breakableStore();
    const { timers, pauses } = heldTimers();
    const host = await createTestHost({
      store: broken,
      timers,
      script: () => {
        fault.isOn = true;
        return { text: "an answer that nobody keeps" };
      },
    });
    await host.flow.receive(message("hello"), {});
    expect(pauses()).toContain(1000);
    host.ending.abort();
    expect(pauses()).not.toContain(1000);
    expect(await store.turns.unfinished()).toHaveLength(1);
  });
});
