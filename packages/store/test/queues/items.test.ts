import { describe, expect, it } from "vitest";
import { LeaseLostError, StoreArgumentError } from "../../src/errors.js";
import type { TakenItem } from "../../src/index.js";
import { QueueBench, TTL_MS } from "../support/queues.js";

const bench = new QueueBench();
const FAILURE = { code: "BROKEN", message: "it broke" };
const ODD = ["", "a:b", "nul \0 inside", "lone \ud800", "back\\slash", "🦀 é", "x".repeat(500)];

/** States of an item, and how it gets there. */
const STATES: { readonly [State in "waiting" | "taken" | "held" | "dead"]: typeof bring } = {
  waiting: async (queue) => void (await bench.queues.enqueue(queue, {}, { key: "a" })),
  taken: async (queue) => {
    await bench.queues.enqueue(queue, {}, { key: "a" });
    await bench.taken(queue);
  },
  held: async (queue) => {
    await bench.queues.enqueue(queue, {}, { key: "a" });
    await bench.queues.hold(queue, "a");
  },
  dead: async (queue) => {
    await bench.queues.enqueue(queue, {}, { key: "a", retry: { attempts: 1, backoffMs: 1 } });
    await bench.queues.fail(await bench.taken(queue), FAILURE);
  },
};
const ALL_STATES = ["waiting", "taken", "held", "dead"] as const;

async function bring(queue: string): Promise<void> {
  await bench.queues.enqueue(queue, {});
}

describe("an item that is added", () => {
  it("[SCALE-500] waits, with its options", async () => {
    const queue = bench.newQueue();
    const runAt = bench.now + 5;
    const retry = { attempts: 3, backoffMs: 20 };
    const options = { key: "k", singletonKey: "s", priority: 2, runAt, retry };
    const { item, isNew } = await bench.queues.enqueue(queue, { id: "x" }, options);
    expect({ item, isNew }).toEqual({
      isNew: true,
      item: {
        ...{ queue, payload: { id: "x" }, state: "waiting", attempts: 0, failure: undefined },
        ...{ ...options, createdAt: bench.now },
      },
    });
    expect(await bench.queues.get(queue, "k")).toEqual(item);
  });

  it("[SCALE-500] may be taken at once any number of times, and has its own key, when nothing else is said", async () => {
    const queue = bench.newQueue();
    const { item } = await bench.queues.enqueue(queue, {});
    const { item: other } = await bench.queues.enqueue(queue, {});
    expect(item).toMatchObject({ priority: 0, runAt: bench.now, retry: { attempts: 0 } });
    expect(other.key).not.toBe(item.key);
  });

  it.each(ODD)("[SCALE-500] keeps the key and the order key %j", async (text) => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, { text: "t" }, { key: text, singletonKey: text });
    await bench.queues.enqueue(queue, {}, { key: `${text}2`, singletonKey: `${text}2` });
    expect(await bench.taken(queue, "one", text)).toMatchObject({ key: text, singletonKey: text });
    expect(await bench.drained(queue)).toEqual([`${text}2`]);
  });

  it.each(ALL_STATES)("[SCALE-500] is not added again while one is %s", async (state) => {
    const queue = bench.newQueue();
    await STATES[state](queue);
    const { item, isNew } = await bench.queues.enqueue(queue, { other: true }, { key: "a" });
    expect(isNew).toBe(false);
    expect(item.payload).toEqual({});
    expect(await bench.queues.list(queue, { limit: 9 })).toHaveLength(1);
  });

  it("[SCALE-500] is added again after the end of the one before, and in another queue", async () => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a" });
    expect(await bench.queues.enqueue(bench.newQueue(), {}, { key: "a" })).toMatchObject({
      isNew: true,
    });
    await bench.queues.complete(await bench.taken(queue));
    expect(await bench.queues.enqueue(queue, {}, { key: "a" })).toMatchObject({ isNew: true });
  });

  it.each(["a", "a-b", "a1", "q".repeat(64)])(
    "[SCALE-500] may be in the queue %s",
    async (queue) => {
      expect(await bench.queues.enqueue(queue, {}, { key: "a" })).toMatchObject({ isNew: true });
    },
  );

  it.each(["", "A", "1a", "-a", "a b", "a:b", "ä", "q".repeat(65)])(
    "[SCALE-500] is rejected in the queue %j",
    async (queue) => {
      await expect(bench.queues.enqueue(queue, {})).rejects.toThrow(StoreArgumentError);
    },
  );

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "[SCALE-500] is rejected with a retry of %d",
    async (number) => {
      const queue = bench.newQueue();
      for (const retry of [
        { attempts: number, backoffMs: 0 },
        { attempts: 0, backoffMs: number },
      ]) {
        await expect(bench.queues.enqueue(queue, {}, { retry })).rejects.toThrow("retry");
      }
      expect(await bench.queues.list(queue, { limit: 1 })).toEqual([]);
    },
  );

  it("[SCALE-015] names what is to be worked on in at most 1 KiB, and does not contain it", async () => {
    const queue = bench.newQueue();
    const fits = { id: "x".repeat(1024 - '{"id":""}'.length) };
    expect((await bench.queues.enqueue(queue, fits)).item.payload).toEqual(fits);
    const adding = bench.queues.enqueue(queue, { id: `${fits.id}x` });
    await expect(adding).rejects.toThrow("at most 1024 bytes of JSON, because a queue holds IDs");
  });

  it.each([
    ["nothing", {}],
    ["nested values", { list: [1, null, { deep: "x" }] }],
    ["a key named __proto__", JSON.parse('{"__proto__":{"a":1}}')],
    ["odd text", { text: "nul \0, é 🦀" }],
  ])("[SCALE-500] keeps a payload of %s", async (_, payload) => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, payload);
    expect(JSON.stringify((await bench.taken(queue)).payload)).toBe(JSON.stringify(payload));
  });
});

describe("the order of a queue", () => {
  it.each<[string, readonly (readonly [string, number])[], string]>([
    ["nothing", [], ""],
    ["one item", [["a", 0]], "a"],
    [
      "the order of adding",
      [
        ["b", 0],
        ["a", 0],
        ["c", 0],
      ],
      "bac",
    ],
    [
      "priorities",
      [
        ["a", 0],
        ["b", 2],
        ["c", 1],
      ],
      "bca",
    ],
    [
      "equal priorities",
      [
        ["a", 1],
        ["b", 1],
        ["c", 0],
        ["d", 1],
      ],
      "abdc",
    ],
    [
      "negative priorities",
      [
        ["a", -1],
        ["b", 0],
        ["c", -2],
      ],
      "bac",
    ],
  ])("[SCALE-500] is that of %s", async (_, items, order) => {
    const queue = bench.newQueue();
    for (const [key, priority] of items) await bench.queues.enqueue(queue, {}, { key, priority });
    expect((await bench.drained(queue)).join("")).toBe(order);
  });

  it.each([
    [-1, true],
    [0, true],
    [1, false],
    [60_000, false],
  ])("[SCALE-500] has an item whose time is %d ms from now: %s", async (ms, isTaken) => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a", runAt: bench.now + ms });
    expect(await bench.drained(queue)).toEqual(isTaken ? ["a"] : []);
    expect(await bench.queues.nextTime(queue)).toBe(isTaken ? undefined : bench.now + ms);
    bench.now += Math.max(0, ms);
    expect(await bench.drained(queue)).toEqual(isTaken ? [] : ["a"]);
  });

  it("[SCALE-500] does not let an urgent item wait for one whose time has not come", async () => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "later", priority: 9, runAt: bench.now + 9 });
    await bench.queues.enqueue(queue, {}, { key: "now" });
    expect(await bench.drained(queue)).toEqual(["now"]);
  });

  it("[SCALE-500] tells the earliest of several times", async () => {
    const queue = bench.newQueue();
    for (const ms of [30, 10, 20]) {
      await bench.queues.enqueue(queue, {}, { runAt: bench.now + ms });
    }
    expect(await bench.queues.nextTime(queue)).toBe(bench.now + 10);
  });
});

describe("items with the same order key", () => {
  async function two(): Promise<string> {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a", singletonKey: "s" });
    await bench.queues.enqueue(queue, {}, { key: "b", singletonKey: "s", priority: 5 });
    return queue;
  }

  it("[SCALE-501] run one at a time in their order, whatever their priority", async () => {
    const queue = await two();
    const first = await bench.taken(queue);
    expect(first.key).toBe("a");
    expect(await bench.drained(queue)).toEqual([]);
    expect(await bench.queues.take(queue, "one", { ttlMs: TTL_MS, key: "b" })).toBeUndefined();
    await bench.queues.complete(first);
    expect(await bench.drained(queue)).toEqual(["b"]);
  });

  it("[SCALE-501] do not hold up items with another key, without a key, or of another queue", async () => {
    const queue = await two();
    await bench.queues.enqueue(queue, {}, { key: "c", singletonKey: "t" });
    await bench.queues.enqueue(queue, {}, { key: "d" });
    const other = bench.newQueue();
    await bench.queues.enqueue(other, {}, { key: "e", singletonKey: "s" });
    expect(await bench.drained(queue)).toEqual(["a", "c", "d"]);
    expect(await bench.drained(other)).toEqual(["e"]);
  });

  it.each<[string, (queue: string) => Promise<unknown>, boolean]>([
    ["waits for its next attempt", async (q) => await fail(q, "a"), false],
    ["was postponed", async (q) => await postpone(q, "a"), false],
    ["is held", async (q) => await bench.queues.hold(q, "a"), false],
    ["was removed", async (q) => await bench.queues.remove(q, "a"), true],
  ])("[SCALE-501] when the first %s, the second runs: %s", async (_, act, runs) => {
    const queue = await two();
    await act(queue);
    expect(await bench.drained(queue)).toEqual(runs ? ["b"] : []);
  });

  it("[SCALE-501] are not held up by a dead one", async () => {
    const queue = bench.newQueue();
    await STATES.dead(queue);
    await bench.queues.enqueue(queue, {}, { key: "b", singletonKey: "s" });
    expect(await bench.drained(queue)).toEqual(["b"]);
  });
});

describe("an item that is taken", () => {
  it("[SCALE-502] belongs to one owner, until the lease expires", async () => {
    const queue = bench.newQueue();
    await STATES.taken(queue);
    for (const owner of ["one", "two"]) {
      expect(await bench.queues.take(queue, owner, { ttlMs: TTL_MS })).toBeUndefined();
    }
    bench.now += TTL_MS - 1;
    expect(await bench.queues.take(queue, "two", { ttlMs: TTL_MS })).toBeUndefined();
    bench.now += 1;
    expect(await bench.taken(queue, "two")).toMatchObject({ attempts: 2, lease: { token: 2 } });
  });

  it("[SCALE-502] is kept by renewing the lease", async () => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {});
    const { lease } = await bench.taken(queue);
    for (let round = 0; round < 3; round += 1) {
      bench.now += TTL_MS - 1;
      expect(await bench.store.leases.renew(lease, TTL_MS)).toBe(true);
      expect(await bench.queues.take(queue, "two", { ttlMs: TTL_MS })).toBeUndefined();
    }
  });

  it("[SCALE-502] is taken over from an owner that is gone", async () => {
    const queue = bench.newQueue();
    await STATES.taken(queue);
    const seized = await bench.queues.take(queue, "two", { ttlMs: TTL_MS, key: "a", seize: true });
    expect(seized).toMatchObject({ key: "a", lease: { owner: "two", token: 2 } });
  });

  it.each([
    ["waiting", true],
    ["taken", false],
    ["held", true],
    ["dead", false],
  ] as const)("[SCALE-502] by its key when it is %s: %s", async (state, isTaken) => {
    const queue = bench.newQueue();
    await STATES[state](queue);
    const taken = await bench.queues.take(queue, "two", { ttlMs: TTL_MS, key: "a" });
    expect(taken?.key).toBe(isTaken ? "a" : undefined);
  });

  it("[SCALE-502] by its key before its time", async () => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a", runAt: bench.now + 99 });
    expect(await bench.taken(queue, "one", "a")).toMatchObject({ key: "a" });
  });

  const ENDS = {
    complete: async (taken: TakenItem) => await bench.queues.complete(taken),
    fail: async (taken: TakenItem) => void (await bench.queues.fail(taken, FAILURE)),
    postpone: async (taken: TakenItem) => await bench.queues.postpone(taken, bench.now),
  };
  const HOLDERS: readonly [string, (queue: string) => Promise<unknown>, boolean][] = [
    ["is still held", async () => undefined, true],
    ["has expired and nobody took it", async () => (bench.now += TTL_MS), true],
    ["another owner has taken over", async (q) => await takeOver(q, "two"), false],
    ["the same owner has taken again", async (q) => await takeOver(q, "one"), false],
  ];
  it.each(
    Object.entries(ENDS).flatMap(([name, end]) =>
      HOLDERS.map(([holder, act, isStored]) => ({ name, end, holder, act, isStored })),
    ),
  )(
    "[SCALE-502] stores $name when the lease $holder: $isStored",
    async ({ end, act, isStored }) => {
      const queue = bench.newQueue();
      await bench.queues.enqueue(queue, {}, { key: "a" });
      const taken = await bench.taken(queue);
      await act(queue);
      const before = await bench.queues.get(queue, "a");
      if (isStored) {
        await end(taken);
        expect(await bench.queues.get(queue, "a")).not.toEqual(before);
        await expect(end(taken)).rejects.toThrow();
      } else {
        await expect(end(taken)).rejects.toThrow(LeaseLostError);
        expect(await bench.queues.get(queue, "a")).toEqual(before);
      }
    },
  );
});

describe("the end of the work on an item", () => {
  it.each([
    [1, 100],
    [2, 200],
    [3, 400],
    [4, 800],
  ])("[SCALE-503] after failure %d is a wait of %d ms", async (failures, wait) => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a", retry: { attempts: 9, backoffMs: 100 } });
    for (let count = 1; count <= failures; count += 1) {
      expect(await bench.queues.fail(await bench.taken(queue, "one", "a"), FAILURE)).toBe(
        "waiting",
      );
    }
    expect(await bench.queues.nextTime(queue)).toBe(bench.now + wait);
    expect(await bench.queues.get(queue, "a")).toMatchObject({ failure: FAILURE });
  });

  it("[SCALE-503] after many failures is a wait of at most an hour", async () => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a" });
    for (let count = 1; count <= 50; count += 1) {
      await bench.queues.fail(await bench.taken(queue, "one", "a"), FAILURE);
    }
    expect(await bench.queues.nextTime(queue)).toBe(bench.now + 3_600_000);
  });

  it.each([1, 2, 5])("[SCALE-503] is death after %d attempts", async (attempts) => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a", retry: { attempts, backoffMs: 1 } });
    for (let count = 1; count < attempts; count += 1) {
      expect(await bench.queues.fail(await bench.taken(queue, "one", "a"), FAILURE)).toBe(
        "waiting",
      );
    }
    expect(await bench.queues.fail(await bench.taken(queue, "one", "a"), FAILURE)).toBe("dead");
    bench.now += 3_600_000;
    expect(await bench.drained(queue)).toEqual([]);
    expect(await bench.queues.list(queue, { state: "dead", limit: 9 })).toMatchObject([
      { key: "a", failure: FAILURE, attempts },
    ]);
  });

  it.each([1, 3])("[SCALE-503] is death after %d owners were killed", async (attempts) => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a", retry: { attempts, backoffMs: 1 } });
    await bench.queues.enqueue(queue, {}, { key: "b" });
    for (let count = 1; count <= attempts; count += 1) {
      await bench.taken(queue, `owner ${count}`, "a");
      bench.now += TTL_MS;
    }
    expect(await bench.drained(queue)).toEqual(["b"]);
    expect(await bench.queues.get(queue, "a")).toMatchObject({
      state: "dead",
      failure: { code: "QUEUE_OWNER_ENDED" },
    });
  });

  it("[SCALE-503] by a postponement does not count as an attempt", async () => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a", retry: { attempts: 1, backoffMs: 1 } });
    for (let count = 0; count < 3; count += 1) {
      await bench.queues.postpone(await bench.taken(queue), bench.now + 50);
      expect(await bench.drained(queue)).toEqual([]);
      bench.now += 50;
    }
    expect(await bench.taken(queue)).toMatchObject({ attempts: 1 });
  });

  it.each(["absent", ...ALL_STATES] as const)(
    "[SCALE-503] by an operator: hold, requeue and remove when it is %s",
    async (state) => {
      const isPresent = state !== "absent";
      const isEnded = state === "held" || state === "dead";
      for (const [act, expected] of [
        ["hold", isPresent],
        ["requeue", isEnded],
        ["remove", isPresent],
      ] as const) {
        const queue = bench.newQueue();
        if (isPresent) await STATES[state](queue);
        expect([act, await bench.queues[act](queue, "a")]).toEqual([act, expected]);
        if (act === "remove") expect(await bench.queues.get(queue, "a")).toBeUndefined();
        if (act === "hold") expect(await bench.drained(queue)).toEqual([]);
        if (act === "requeue" && isEnded) {
          expect(await bench.queues.get(queue, "a")).toMatchObject({ attempts: 0 });
          expect(await bench.drained(queue)).toEqual(["a"]);
        }
      }
    },
  );

  it.each(["waiting", "held", "dead"] as const)(
    "[SCALE-503] lists those that are %s",
    async (state) => {
      const queue = bench.newQueue();
      await STATES[state](queue);
      expect(await bench.queues.list(queue, { limit: 1 })).toMatchObject([{ key: "a", state }]);
      expect(await bench.queues.list(queue, { state, limit: 1 })).toHaveLength(1);
      for (const other of ["waiting", "held", "dead"] as const) {
        if (other !== state)
          expect(await bench.queues.list(queue, { state: other, limit: 1 })).toEqual([]);
      }
      await expect(bench.queues.list(queue, { limit: 0 })).rejects.toThrow("a whole number from 1");
    },
  );
});

async function fail(queue: string, key: string): Promise<void> {
  await bench.queues.fail(await bench.taken(queue, "one", key), FAILURE);
}

async function postpone(queue: string, key: string): Promise<void> {
  await bench.queues.postpone(await bench.taken(queue, "one", key), bench.now + 99);
}

async function takeOver(queue: string, owner: string): Promise<void> {
  await bench.queues.take(queue, owner, { ttlMs: TTL_MS, key: "a", seize: true });
}
