import { afterAll, beforeAll } from "vitest";
import { openStore, type Store, type TakenItem } from "../../src/index.js";
import { briefDatabase, START } from "./open-store.js";

/** A store that the cases of one file share, each with its own queue, and its clock. */
export class QueueBench {
  now = START;
  #store: Store | undefined;
  #queues = 0;

  constructor() {
    beforeAll(async () => {
      const now = () => this.now;
      this.#store = await openStore({
        ...briefDatabase(),
        now,
        databaseClock: now,
        durability: "process",
      });
    });
    afterAll(async () => await this.#store?.close());
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error("the store is not open");
    return this.#store;
  }

  get queues(): Store["queues"] {
    return this.store.queues;
  }

  /** Returns the name of a queue that no other case uses. */
  newQueue(): string {
    this.#queues += 1;
    return `queue-${this.#queues}`;
  }

  /** Takes the next item, which must exist. */
  async taken(queue: string, owner = "one", key?: string): Promise<TakenItem> {
    const item = await this.queues.take(queue, owner, { ttlMs: TTL_MS, key });
    if (item === undefined) throw new Error(`${queue} has no item to take`);
    return item;
  }

  /** Takes items until none is left, and returns their keys in order. */
  async drained(queue: string): Promise<string[]> {
    const keys: string[] = [];
    for (;;) {
      const item = await this.queues.take(queue, "one", { ttlMs: TTL_MS });
      if (item === undefined) return keys;
      keys.push(item.key);
    }
  }
}

/** Time of a lease in these tests. */
export const TTL_MS = 10_000;
