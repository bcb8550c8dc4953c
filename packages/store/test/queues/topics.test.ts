import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { StoreArgumentError, StoreClosedError, TransactionMisuseError } from "../../src/errors.js";
import { QUEUE_CHANGES, type Store } from "../../src/index.js";
import { QueueBench } from "../support/queues.js";

const bench = new QueueBench();

/** Receives a topic until the end of the test. */
function received(topic: string): string[] {
  const notices: string[] = [];
  onTestFinished(bench.store.topics.subscribe(topic, (text) => void notices.push(text)));
  return notices;
}

describe("a topic", () => {
  it("[SCALE-507] delivers a text after the call that published it has returned", async () => {
    const notices = received("news");
    bench.store.topics.publish("news", "one");
    expect(notices).toEqual([]);
    await setImmediate();
    expect(notices).toEqual(["one"]);
  });

  it("[SCALE-507] delivers the notices of a transaction after its commit, in their order", async () => {
    const notices = received("news");
    await bench.store.transaction(async (unit) => {
      unit.topics.publish("news", "one");
      await unit.queues.enqueue(bench.newQueue(), {});
      unit.topics.publish("news", "two");
      unit.topics.publish("news");
      await setImmediate();
      expect(notices).toEqual([]);
    });
    await setImmediate();
    expect(notices).toEqual(["one", "two", ""]);
  });

  it("[SCALE-507] delivers nothing of a transaction that is rolled back", async () => {
    const notices = received("news");
    const failed = bench.store.transaction(async (unit) => {
      unit.topics.publish("news", "one");
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    await setImmediate();
    expect(notices).toEqual([]);
  });

  it("[SCALE-507] delivers equal notices of one transaction once, and those of two twice", async () => {
    const notices = received("news");
    const other = received("other-news");
    for (let round = 0; round < 2; round += 1) {
      await bench.store.transaction(async (unit) => {
        for (const topic of ["news", "other-news", "news"]) unit.topics.publish(topic, "same");
      });
    }
    await setImmediate();
    expect([notices, other]).toEqual([
      ["same", "same"],
      ["same", "same"],
    ]);
  });

  it("[SCALE-507] is received by each subscriber, also by one function that subscribed twice", async () => {
    const notices: string[] = [];
    const listener = (text: string) => void notices.push(text);
    const { topics } = bench.store;
    const [first, second] = [
      topics.subscribe("news", listener),
      topics.subscribe("news", listener),
    ];
    topics.publish("news", "a");
    await setImmediate();
    first();
    first();
    topics.publish("news", "b");
    await setImmediate();
    second();
    topics.publish("news", "c");
    await setImmediate();
    expect(notices).toEqual(["a", "a", "b"]);
  });

  it("[SCALE-507] delivers nothing to one who ended before the delivery, or subscribed after it", async () => {
    const notices: string[] = [];
    const { topics } = bench.store;
    const end = topics.subscribe("news", (text) => void notices.push(text));
    topics.publish("news", "lost");
    end();
    await setImmediate();
    const late = received("news");
    await setImmediate();
    expect([notices, late]).toEqual([[], []]);
  });

  it.each(["a", "a:b-1", "t".repeat(63)])("[SCALE-507] may have the name %s", async (topic) => {
    const notices = received(topic);
    bench.store.topics.publish(topic, "x".repeat(1024));
    await setImmediate();
    expect(notices).toHaveLength(1);
  });

  it.each(["", "A", "1a", ":a", "a b", "ä", "t".repeat(64)])(
    "[SCALE-507] is rejected with the name %j",
    async (topic) => {
      const { store } = bench;
      expect(() => store.topics.publish(topic)).toThrow(StoreArgumentError);
      expect(() => store.topics.subscribe(topic, () => undefined)).toThrow(StoreArgumentError);
      const publishing = store.transaction(async (unit) => unit.topics.publish(topic));
      await expect(publishing).rejects.toThrow("lower-case letter");
    },
  );

  it.each(["x".repeat(1025), "é".repeat(513)])(
    "[SCALE-507] rejects a text of over 1 KiB",
    (text) => {
      expect(() => bench.store.topics.publish("news", text)).toThrow("at most 1024 bytes");
    },
  );

  it("[SCALE-507] cannot be subscribed in a transaction, or published after its end", async () => {
    let ended: Store | undefined;
    const subscribing = bench.store.transaction(async (unit) => {
      ended = unit;
      unit.topics.subscribe("news", () => undefined);
    });
    await expect(subscribing).rejects.toThrow(TransactionMisuseError);
    expect(() => ended?.topics.publish("news")).toThrow(StoreClosedError);
  });
});

describe("the topic of changes of queues", () => {
  const queues: string[] = [];
  let end = () => {};
  beforeAll(() => {
    end = bench.store.topics.subscribe(QUEUE_CHANGES, (queue) => void queues.push(queue));
  });
  afterAll(() => end());

  /** Returns the number of times that a queue was told of. */
  async function told(queue: string): Promise<number> {
    await setImmediate();
    return queues.filter((name) => name === queue).length;
  }

  it("[SCALE-508] tells of a new item after the commit, and not of one that was there", async () => {
    const queue = bench.newQueue();
    await bench.store.transaction(async (unit) => {
      await unit.queues.enqueue(queue, {}, { key: "a" });
      expect(await told(queue)).toBe(0);
    });
    expect(await told(queue)).toBe(1);
    await bench.queues.enqueue(queue, {}, { key: "a" });
    expect(await told(queue)).toBe(1);
  });

  it.each<[string, (queue: string) => Promise<unknown>]>([
    ["is complete", async (queue) => bench.queues.complete(await bench.taken(queue))],
    [
      "has failed",
      async (queue) => bench.queues.fail(await bench.taken(queue), { code: "A", message: "a" }),
    ],
    [
      "was postponed",
      async (queue) => bench.queues.postpone(await bench.taken(queue), bench.now + 9),
    ],
    ["is held", (queue) => bench.queues.hold(queue, "a")],
    ["was removed", (queue) => bench.queues.remove(queue, "a")],
  ])("[SCALE-508] tells of an item that %s", async (_, act) => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a" });
    await act(queue);
    expect(await told(queue)).toBe(2);
  });

  it("[SCALE-508] tells of a held item that runs again, and of no change that did not happen", async () => {
    const queue = bench.newQueue();
    await bench.queues.enqueue(queue, {}, { key: "a" });
    await bench.queues.hold(queue, "a");
    await bench.queues.requeue(queue, "a");
    expect(await told(queue)).toBe(3);
    await bench.queues.requeue(queue, "a");
    await bench.queues.remove(queue, "b");
    await bench.queues.hold(queue, "b");
    await bench.taken(queue);
    expect(await told(queue)).toBe(3);
  });
});
