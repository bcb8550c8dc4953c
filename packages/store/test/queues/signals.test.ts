import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { StoreArgumentError, TransactionMisuseError } from "../../src/errors.js";
import type { Store } from "../../src/index.js";
import { openTestStore, START, storeDatabase } from "../support/open-store.js";
import { QueueBench } from "../support/queues.js";

const bench = new QueueBench();
const ODD = ["a:b", "nul \0 inside", "back\\slash", "🦀 é", "x".repeat(500)];

/** Waits for a signal, and says whether it has come. */
function awaited(id: string, abort?: AbortSignal) {
  const state: { value?: unknown; error?: unknown } = {};
  const ended = bench.store.signals.await(id, abort).then(
    (value) => Object.assign(state, { value }),
    (error: unknown) => Object.assign(state, { error }),
  );
  return { state, ended };
}

/** Lets notices be delivered and rows be read. */
async function settled(id: string): Promise<void> {
  await setImmediate();
  await bench.store.signals.get(id);
  await setImmediate();
}

describe("a signal", () => {
  it.each<[string, Parameters<Store["signals"]["signal"]>[1], unknown]>([
    ["nothing", undefined, null],
    ["false", false, false],
    ["an empty text", "", ""],
    ["an object", { list: [1, null] }, { list: [1, null] }],
    ["1 KiB", "x".repeat(1022), "x".repeat(1022)],
  ])(
    "[SCALE-001] [SCALE-509] is received with the value %s by all who wait and all who ask later",
    async (what, value, expected) => {
      const { signals } = bench.store;
      const waits = [signals.await(what), signals.await(what)];
      expect(await signals.get(what)).toBeUndefined();
      expect(await signals.signal(what, value)).toBe(true);
      expect(await Promise.all([...waits, signals.await(what), signals.get(what)])).toEqual([
        expected,
        expected,
        expected,
        expected,
      ]);
    },
  );

  it.each(ODD)("[SCALE-509] may have the ID %j, and is not another one", async (id) => {
    const other = awaited(`${id.slice(1)}2`);
    const wait = awaited(id);
    await bench.store.signals.signal(id, "here");
    await wait.ended;
    await settled(id);
    expect([wait.state, other.state]).toEqual([{ value: "here" }, {}]);
    await bench.store.signals.signal(`${id.slice(1)}2`);
    await other.ended;
  });

  it("[SCALE-509] keeps its first value until it is removed, and may then have another", async () => {
    const { signals } = bench.store;
    const sent = await Promise.all(["one", "two"].map((value) => signals.signal("first", value)));
    expect(sent).toEqual([true, false]);
    expect(await signals.await("first")).toBe("one");
    expect([await signals.remove("first"), await signals.remove("first")]).toEqual([true, false]);
    const wait = signals.await("first");
    expect(await signals.signal("first", "three")).toBe(true);
    expect(await wait).toBe("three");
  });

  it("[SCALE-509] is received after the commit, and not when its transaction is rolled back", async () => {
    const wait = awaited("commit");
    const killed = bench.store.transaction(async (unit) => {
      await unit.signals.signal("commit", "lost");
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    await settled("commit");
    expect(wait.state).toEqual({});
    await bench.store.transaction(async (unit) => {
      await unit.signals.signal("commit", "kept");
      await setImmediate();
      expect(wait.state).toEqual({});
    });
    await wait.ended;
    expect(wait.state).toEqual({ value: "kept" });
  });

  it("[SCALE-509] that was removed before it was read is waited for again", async () => {
    const wait = awaited("removed");
    await settled("removed");
    await bench.store.transaction(async (unit) => {
      await unit.signals.signal("removed", "one");
      await unit.signals.remove("removed");
    });
    await settled("removed");
    expect(wait.state).toEqual({});
    await bench.store.signals.signal("removed", "two");
    await wait.ended;
    expect(wait.state).toEqual({ value: "two" });
  });

  it("[SCALE-509] is waited for until the wait is ended, also before it begins", async () => {
    const ending = new AbortController();
    const wait = awaited("ended", ending.signal);
    await settled("ended");
    const reason = new Error("no longer");
    ending.abort(reason);
    await wait.ended;
    expect(wait.state).toEqual({ error: reason });
    await expect(bench.store.signals.await("ended", ending.signal)).rejects.toBe(reason);
  });

  it.each<[string, string, string]>([
    ["an empty ID", "", ""],
    ["an ID of over 500 bytes", "é".repeat(251), ""],
    ["a value of over 1 KiB", "large", "x".repeat(1023)],
  ])("[SCALE-509] is rejected with %s", async (_, id, value) => {
    await expect(bench.store.signals.signal(id, value)).rejects.toThrow(StoreArgumentError);
  });

  it("[SCALE-509] cannot be waited for in a transaction, which would keep others from sending it", async () => {
    const waiting = bench.store.transaction((unit) => unit.signals.await("inside"));
    await expect(waiting).rejects.toThrow(TransactionMisuseError);
  });

  it.each<[string, (store: Store) => Promise<unknown>, unknown]>([
    ["nothing was sent", async () => undefined, undefined],
    ["it was sent", (store) => store.signals.signal("s", "value"), "value"],
    [
      "it was sent and removed",
      async (store) => [await store.signals.signal("s"), await store.signals.remove("s")],
      undefined,
    ],
  ])("[SCALE-001] [SCALE-509] is found by the next process when %s", async (_, act, expected) => {
    const now = () => START;
    const options = { ...storeDatabase(), now, databaseClock: now };
    const store = await openTestStore(options);
    await act(store);
    await store.close();
    const next = await openTestStore(options);
    expect(await next.signals.get("s")).toBe(expected);
    if (expected !== undefined) expect(await next.signals.await("s")).toBe(expected);
  });
});
