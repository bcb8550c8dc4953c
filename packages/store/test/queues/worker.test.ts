import { createManualClock, type ManualClock } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { QueueWorker, type Store, type TakenItem } from "../../src/index.js";
import { QueueBench, TTL_MS } from "../support/queues.js";

const bench = new QueueBench();

/** Work that the test ends. */
interface Begun {
  readonly item: TakenItem;
  readonly signal: AbortSignal;
  end(): Promise<void>;
}

class Bench {
  readonly queue = bench.newQueue();
  readonly clock: ManualClock = createManualClock();
  readonly begun: Begun[] = [];
  readonly errors: string[] = [];
  places = Number.POSITIVE_INFINITY;
  failsToBegin = false;
  readonly worker = this.newWorker();

  newWorker(isObsolete = false): QueueWorker {
    const error = (message: string) => void this.errors.push(message);
    const worker = new QueueWorker({
      store: bench.store,
      queue: this.queue,
      timers: this.clock,
      logger: { ...SILENT, error },
      hasPlace: async () => this.begun.length < this.places,
      begin: async (_unit: Store, item: TakenItem) => {
        if (this.failsToBegin) throw new Error("it cannot begin");
        return isObsolete ? undefined : { run: (signal) => this.#run(item, signal) };
      },
    });
    onTestFinished(() => worker.close());
    return worker;
  }

  async add(...keys: string[]): Promise<void> {
    for (const key of keys) await bench.queues.enqueue(this.queue, {}, { key });
  }

  get keys(): string {
    return this.begun.map(({ item }) => item.key).join("");
  }

  #run(item: TakenItem, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = async () => {
        await bench.queues.complete(item);
        resolve();
      };
      this.begun.push({ item, signal, end });
    });
  }
}

const ignore = () => undefined;
const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

describe("a worker of a queue", () => {
  it("[SCALE-504] takes every item when it is woken, and each once", async () => {
    const test = new Bench();
    await test.add("a", "b", "c");
    await Promise.all([test.worker.wake(), test.worker.wake()]);
    await test.worker.wake();
    expect(test.keys).toBe("abc");
  });

  it("[SCALE-504] shares a queue with another, and no item is taken twice", async () => {
    const test = new Bench();
    const other = test.newWorker();
    await test.add(..."abcdefgh");
    await Promise.all([test.worker.wake(), other.wake()]);
    expect([...test.keys].sort().join("")).toBe("abcdefgh");
    expect(new Set(test.begun.map(({ item }) => item.lease.owner)).size).toBeLessThanOrEqual(2);
  });

  it("[SCALE-504] takes no more than it has places for, and continues when one is free", async () => {
    const test = new Bench();
    test.places = 2;
    await test.add("a", "b", "c");
    await test.worker.wake();
    expect(test.keys).toBe("ab");
    expect(await test.worker.take({ key: "c" })).toBe(false);
    await test.begun[0]?.end();
    test.places = 3;
    await test.worker.wake();
    expect(test.keys).toBe("abc");
  });

  it("[SCALE-504] takes over an item that another has left behind, also without a place", async () => {
    const test = new Bench();
    test.places = 0;
    await test.add("a");
    await bench.taken(test.queue, "gone");
    expect(await test.worker.take({ key: "a" })).toBe(false);
    expect(await test.worker.take({ key: "a", seize: true })).toBe(true);
    expect(test.keys).toBe("a");
  });

  it("[SCALE-504] removes an item with which nothing is left to do", async () => {
    const test = new Bench();
    await test.add("a");
    await test.newWorker(true).wake();
    expect(await bench.queues.get(test.queue, "a")).toBeUndefined();
    expect(test.keys).toBe("");
  });

  it("[SCALE-504] leaves an item whose work cannot begin, and reports it", async () => {
    const test = new Bench();
    test.failsToBegin = true;
    await test.add("a");
    await test.worker.wake();
    expect(test.errors).toEqual([`the queue "${test.queue}" could not continue: it cannot begin`]);
    expect(await bench.queues.get(test.queue, "a")).toMatchObject({ attempts: 0 });
    test.failsToBegin = false;
    await test.worker.wake();
    expect(test.keys).toBe("a");
  });

  it("[SCALE-504] waits for the time of the next item, and has no timer when there is none", async () => {
    const test = new Bench();
    const timers = vi.spyOn(test.clock, "setTimeout");
    await test.worker.wake();
    expect(timers).not.toHaveBeenCalled();
    await bench.queues.enqueue(test.queue, {}, { key: "a", runAt: bench.now + 500 });
    await test.worker.wake();
    expect(timers).toHaveBeenCalledExactlyOnceWith(expect.any(Function), 500);
    bench.now += 500;
    test.clock.advance(500);
    await test.worker.wake();
    expect(test.keys).toBe("a");
  });

  it("[SCALE-504] renews the leases of its items until their work ends", async () => {
    const test = new Bench();
    const renewals = vi.spyOn(bench.store.leases, "renew");
    onTestFinished(() => renewals.mockRestore());
    await test.add("a");
    await test.worker.wake();
    for (let round = 1; round <= 4; round += 1) {
      bench.now += 3_000;
      test.clock.advance(3_000);
      expect(renewals).toHaveBeenCalledTimes(round);
      await renewals.mock.results.at(-1)?.value;
      expect(await bench.queues.take(test.queue, "two", { ttlMs: TTL_MS })).toBeUndefined();
    }
    await test.begun[0]?.end();
    await test.worker.wake();
    test.clock.advance(9_000);
    expect(renewals).toHaveBeenCalledTimes(4);
  });

  it("[SCALE-504] tells the work on an item that another owner has", async () => {
    const test = new Bench();
    await test.add("a");
    await test.worker.wake();
    await bench.queues.take(test.queue, "two", { ttlMs: TTL_MS, key: "a", seize: true });
    const aborted = new Promise((resolve) =>
      test.begun[0]?.signal.addEventListener("abort", resolve),
    );
    test.clock.advance(3_000);
    await aborted;
    await expect(test.begun[0]?.end()).rejects.toThrow("is no longer held by");
  });

  it("[SCALE-504] takes nothing after its end, and lets its leases expire", async () => {
    const test = new Bench();
    const renewals = vi.spyOn(bench.store.leases, "renew");
    onTestFinished(() => renewals.mockRestore());
    await test.add("a");
    await test.worker.wake();
    await test.add("b");
    test.worker.close();
    await test.worker.wake();
    test.clock.advance(60_000);
    expect(renewals).not.toHaveBeenCalled();
    expect(test.keys).toBe("a");
    bench.now += TTL_MS;
    expect(await bench.drained(test.queue)).toEqual(["a", "b"]);
  });
});
