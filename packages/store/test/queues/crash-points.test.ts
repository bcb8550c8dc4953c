import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { JOB_QUEUE, type JobState, type Store } from "../../src/index.js";
import { addJob, walkTo } from "../support/jobs.js";
import { affordable, openTestStore, START, storeDatabase } from "../support/open-store.js";
import { QueueBench, TTL_MS } from "../support/queues.js";

const bench = new QueueBench();
const FAILURE = { code: "BROKEN", message: "it broke" };
const ONCE = { attempts: 1, backoffMs: 1 };

/** Changes of a queue that has an item `a`, which waits, and an item `b`, which the owner `one` has. */
const CHANGES: Readonly<Record<string, (unit: Store, queue: string) => Promise<unknown>>> = {
  enqueue: async (unit, queue) => await unit.queues.enqueue(queue, {}, { key: "c" }),
  take: async (unit, queue) => await unit.queues.take(queue, "two", { ttlMs: TTL_MS }),
  complete: async (unit, queue) => await unit.queues.complete(await own(unit, queue)),
  fail: async (unit, queue) => await unit.queues.fail(await own(unit, queue), FAILURE),
  postpone: async (unit, queue) => await unit.queues.postpone(await own(unit, queue), START),
  hold: async (unit, queue) => await unit.queues.hold(queue, "a"),
  remove: async (unit, queue) => await unit.queues.remove(queue, "a"),
  requeue: async (unit, queue) => await unit.queues.requeue(queue, "dead"),
};

async function own(unit: Store, queue: string) {
  const item = await unit.queues.get(queue, "b");
  if (item === undefined) throw new Error("the item is missing");
  return { ...item, lease: { key: `${queue}:b`, owner: "one", token: 1 } };
}

async function prepare(queue: string): Promise<void> {
  await bench.queues.enqueue(queue, {}, { key: "dead", retry: ONCE });
  await bench.queues.fail(await bench.taken(queue), FAILURE);
  await bench.queues.enqueue(queue, {}, { key: "b", retry: ONCE });
  await bench.taken(queue);
  await bench.queues.enqueue(queue, {}, { key: "a" });
}

describe("a change of a queue", () => {
  it.each(Object.entries(CHANGES))(
    "[SCALE-500] %s is kept with its transaction, and undone with it",
    async (_, change) => {
      const queue = bench.newQueue();
      await prepare(queue);
      const all = () => bench.queues.list(queue, { limit: 9 });
      const before = await all();
      const crash = new Error("killed before the commit");
      const undone = bench.store.transaction(async (unit) => {
        await change(unit, queue);
        throw crash;
      });
      await expect(undone).rejects.toBe(crash);
      expect(await all()).toEqual(before);
      await bench.store.transaction((unit) => change(unit, queue));
      expect(await all()).not.toEqual(before);
    },
  );
});

describe("a transaction that queues, schedules, leases, publishes and signals", () => {
  const due = { routineId: "engine", plannedAt: START };

  async function change(unit: Store, queue: string): Promise<void> {
    await unit.queues.enqueue(queue, {}, { key: "a" });
    await unit.routines.runs.claim({ ...due, origin: "schedule", state: "queued" });
    await unit.leases.acquire("engine", "one", { ttlMs: TTL_MS });
    unit.topics.publish("engine", queue);
    await unit.signals.signal("engine", queue);
  }

  it.each([0, 1, 2, 3, 4, 5])(
    "[SCALE-001] keeps all of it or, killed before its commit after step %d, nothing",
    async (steps) => {
      const { store } = bench;
      const queue = bench.newQueue();
      const told: string[] = [];
      onTestFinished(store.topics.subscribe("engine", (text) => void told.push(text)));
      await addRoutine(store, due.routineId);
      onTestFinished(async () => {
        await store.routines.remove(due.routineId);
        await store.signals.remove("engine");
      });
      const state = async () => {
        await setImmediate();
        return [
          (await store.queues.list(queue, { limit: 9 })).length,
          (await store.routines.runs.get(due))?.state,
          told,
          await store.signals.get("engine"),
        ];
      };
      const killed = store.transaction(async (unit) => {
        await change(killedAfter(unit, steps), queue);
        throw new Error("killed");
      });
      await expect(killed).rejects.toThrow("killed");
      expect(await state()).toEqual([0, undefined, [], undefined]);
      await store.transaction((unit) => change(unit, queue));
      expect(await state()).toEqual([1, "queued", [queue], queue]);
    },
  );
});

/** Returns a store whose repositories can be asked for a number of times. */
function killedAfter(unit: Store, steps: number): Store {
  let left = steps;
  return new Proxy(unit, {
    get(target, name) {
      left -= 1;
      if (left < 0) throw new Error("killed");
      return Reflect.get(target, name, target);
    },
  });
}

async function addRoutine(store: Store, routineId: string): Promise<void> {
  await store.routines.add({
    ...{ routineId, name: routineId, agentId: "main", sessionKey: `agent:main:cron:${routineId}` },
    ...{ owner: "owner", creator: { channel: "terminal" }, definition: { kind: "at" } },
    ...{ scheduledFrom: START, enabled: true },
  });
}

describe("the queue of jobs", () => {
  it.each<[JobState, string | undefined]>([
    ["pending", "waiting"],
    ["in_progress", "waiting"],
    ["stuck", "held"],
    ["completed", undefined],
    ["submitted", undefined],
    ["accepted", undefined],
    ["failed", undefined],
    ["cancelled", undefined],
  ])("[SCALE-015] has for a job that is %s the item: %s", async (state, expected) => {
    const { jobId } = await addJob(bench.store, `job-${state}`);
    await walkTo(bench.store, jobId, state);
    expect((await bench.queues.get(JOB_QUEUE, jobId))?.state).toBe(expected);
  });

  it.each<[JobState, JobState]>([
    ["pending", "in_progress"],
    ["pending", "cancelled"],
    ["in_progress", "completed"],
    ["in_progress", "stuck"],
    ["in_progress", "failed"],
    ["stuck", "cancelled"],
  ])("[SCALE-015] loses nothing when the move from %s to %s is killed", async (from, to) => {
    const { jobId } = await addJob(bench.store, `killed-${from}-${to}`);
    await walkTo(bench.store, jobId, from);
    const both = async () => [
      await bench.store.jobs.get(jobId),
      await bench.queues.get(JOB_QUEUE, jobId),
    ];
    const before = await both();
    const killed = bench.store.transaction(async (unit) => {
      await unit.jobs.move(jobId, to);
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    expect(await both()).toEqual(before);
  });

  it("[SCALE-015] has neither job nor item when the creation is killed", async () => {
    const killed = bench.store.transaction(async (unit) => {
      await addJob(unit, "never");
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    expect(await bench.store.jobs.get("never")).toBeUndefined();
    expect(await bench.queues.get(JOB_QUEUE, "never")).toBeUndefined();
  });
});

/** Points at which the process of an owner ends, and the keys that the next owner finds once the leases have expired. */
const CRASHES: readonly [string, (store: Store) => Promise<unknown>, readonly string[]][] = [
  ["nothing was taken", async () => undefined, ["a", "b"]],
  ["one was taken", async (store) => await take(store), ["a", "b"]],
  ["both were taken", async (store) => [await take(store), await take(store)], ["a", "b"]],
  ["the first has ended", async (store) => await complete(store), ["b"]],
  ["the first has ended and the second was taken", endAndTake, ["b"]],
  ["both have ended", async (store) => [await complete(store), await complete(store)], []],
  ["the first was held", async (store) => await store.queues.hold("q", "a"), ["b"]],
  ["the first was removed", async (store) => await store.queues.remove("q", "a"), ["b"]],
];

async function take(store: Store) {
  return await store.queues.take("q", "one", { ttlMs: TTL_MS });
}

async function complete(store: Store): Promise<void> {
  const taken = await take(store);
  if (taken !== undefined) await store.queues.complete(taken);
}

async function endAndTake(store: Store): Promise<void> {
  await complete(store);
  await take(store);
}

describe("the owner of items is killed", () => {
  it.each(CRASHES)("[SCALE-502] when %s: the next finds what is left", async (_, act, left) => {
    let now = START;
    const options = { ...storeDatabase(), now: () => now, databaseClock: () => now };
    const store = await openTestStore(options);
    for (const key of ["a", "b"]) await store.queues.enqueue("q", {}, { key });
    await act(store);
    await store.close();
    const next = await openTestStore(options);
    now += TTL_MS;
    const found: string[] = [];
    for (;;) {
      const taken = await next.queues.take("q", "two", { ttlMs: TTL_MS });
      if (taken === undefined) break;
      found.push(taken.key);
      await next.queues.complete(taken);
    }
    expect(found).toEqual(left);
  });

  it("[SCALE-502] or stopped at any moment: no item is lost, and each ends once", async () => {
    const step = fc.record({
      owner: fc.nat({ max: 2 }),
      act: fc.constantFrom("enqueue", "take", "complete", "fail", "die", "later"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const queue = bench.newQueue();
        const held = new Map<number, Awaited<ReturnType<typeof bench.taken>>>();
        const open = new Set<string>();
        let added = 0;
        let ended = 0;
        for (const { owner, act } of steps) {
          const taken = held.get(owner);
          if (act === "enqueue") {
            added += 1;
            open.add((await bench.queues.enqueue(queue, {})).item.key);
          } else if (act === "take" && taken === undefined) {
            const item = await bench.queues.take(queue, `owner ${owner}`, { ttlMs: TTL_MS });
            if (item !== undefined) held.set(owner, item);
          } else if (act === "die") held.delete(owner);
          else if (act === "later") bench.now += TTL_MS / 2;
          else if (taken !== undefined) {
            held.delete(owner);
            const ending =
              act === "complete"
                ? bench.queues.complete(taken)
                : bench.queues.fail(taken, FAILURE).then(() => undefined);
            const isStored = await ending.then(
              () => true,
              () => false,
            );
            if (isStored && act === "complete") {
              // No other owner has ended it before.
              expect(open.delete(taken.key)).toBe(true);
              ended += 1;
            }
          }
        }
        const left = await bench.queues.list(queue, { limit: 100 });
        expect(new Set(left.map(({ key }) => key))).toEqual(open);
        expect(left.length + ended).toBe(added);
      }),
      { numRuns: affordable(40) },
    );
  });
});
