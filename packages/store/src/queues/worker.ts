import { randomUUID } from "node:crypto";
import { errorMessage, type TimerHandle, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Lease } from "../jobs/leases.js";
import type { Store } from "../store.js";
import type { TakenItem } from "./item.js";

/** Time of a lease, and interval of its renewal (JOB-009). */
const LEASE_MS = 10_000;
const RENEWAL_MS = 3_000;

/** The work on an item that was taken, as `begin` returned it. */
export interface BegunWork {
  /**
   * Does the work; called after the commit, with the lease renewed until it resolves. The end of the work is stored with
   * its item, by `queues.complete` or by what the work itself removes.
   * @param signal - aborts when another owner has the item
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Options of {@link QueueWorker}. */
export interface QueueWorkerOptions {
  readonly store: Store;
  readonly queue: string;
  readonly timers: Timers;
  readonly logger: Logger;
  /**
   * Returns false while no further item may be worked on; an item that another owner has left behind is taken all the same.
   * @param unit - the transaction in which the item would be taken
   */
  hasPlace?(unit: Store): Promise<boolean>;
  /**
   * Begins the work on an item, in the transaction that takes it.
   * @param taken - the item with its lease
   * @returns undefined when nothing is left to do, which removes the item
   */
  begin(unit: Store, taken: TakenItem): Promise<BegunWork | undefined>;
}

/** Which item a worker takes, and how. */
export interface WorkerTake {
  /** The item with this key; the next one when absent. */
  readonly key?: string | undefined;
  /** Takes it also from another owner, of whom the caller knows that it is gone. */
  readonly seize?: boolean | undefined;
}

/** Takes the items of a queue and works on them, each under a lease that is renewed. */
export class QueueWorker {
  readonly #options: QueueWorkerOptions;
  readonly #owner = randomUUID();
  readonly #held = new Map<string, { readonly lease: Lease; readonly lost: AbortController }>();
  #taking: Promise<unknown> = Promise.resolve();
  #isOpen = true;
  #renewal: TimerHandle | undefined;
  #isRenewing = false;
  #next: TimerHandle | undefined;

  /** @param options - store, queue, timers, log, and what begins the work */
  constructor(options: QueueWorkerOptions) {
    this.#options = options;
  }

  /**
   * Takes items until none is left that may run, or no place is free; then waits for the time of the next.
   * Call it after each commit that added one, and when work has ended.
   */
  wake(): Promise<void> {
    const woken = this.#taking.then(async () => {
      while (this.#isOpen && (await this.#take({})));
      await this.#waitForNext();
    });
    this.#taking = woken.catch((error: unknown) => this.#log(error));
    return this.#taking.then(() => undefined);
  }

  /**
   * Takes one item.
   * @param which - its key, whatever its time
   * @returns false when there is none, another owner works on it, or no place is free
   */
  take(which: WorkerTake): Promise<boolean> {
    const taken = this.#taking.then(() => this.#take(which));
    this.#taking = taken.catch(() => undefined);
    return taken;
  }

  /** Takes nothing more, and lets the leases expire; the next owner continues the work. */
  close(): void {
    const { timers } = this.#options;
    this.#isOpen = false;
    this.#held.clear();
    timers.clearTimeout(this.#renewal);
    timers.clearTimeout(this.#next);
    this.#renewal = undefined;
    this.#next = undefined;
  }

  async #take(which: WorkerTake): Promise<boolean> {
    const { store, queue } = this.#options;
    const options = { ...which, ttlMs: LEASE_MS };
    const taken = await store.transaction(async (unit) => {
      if (which.seize !== true && !((await this.#options.hasPlace?.(unit)) ?? true))
        return undefined;
      const item = await unit.queues.take(queue, this.#owner, options);
      if (item === undefined) return undefined;
      const work = await this.#options.begin(unit, item);
      if (work === undefined) await unit.queues.complete(item);
      return { item, work };
    });
    // When the worker was closed meanwhile, the next one takes it up.
    if (taken === undefined || !this.#isOpen) return false;
    if (taken.work !== undefined) this.#run(taken.item, taken.work);
    return true;
  }

  #run({ key, lease }: TakenItem, work: BegunWork): void {
    const lost = new AbortController();
    const held = { lease, lost };
    this.#held.set(key, held);
    this.#renewal ??= this.#renewLater();
    const ended = (error?: unknown) => {
      if (error !== undefined) this.#log(error);
      if (this.#held.get(key) !== held) return;
      this.#held.delete(key);
      if (this.#held.size > 0) return;
      this.#options.timers.clearTimeout(this.#renewal);
      this.#renewal = undefined;
    };
    work.run(lost.signal).then(() => ended(), ended);
  }

  async #waitForNext(): Promise<void> {
    const { store, queue, timers } = this.#options;
    if (!this.#isOpen) return;
    const time = await store.queues.nextTime(queue);
    timers.clearTimeout(this.#next);
    this.#next = undefined;
    if (time === undefined || !this.#isOpen) return;
    const wait = Math.max(1, time - (await store.clock()));
    if (this.#isOpen) this.#next = timers.setTimeout(() => void this.wake(), wait);
  }

  #renewLater(): TimerHandle {
    return this.#options.timers.setTimeout(() => {
      this.#renewal = this.#renewLater();
      this.#renew().catch((error: unknown) => this.#log(error));
    }, RENEWAL_MS);
  }

  /** Renews each lease; a renewal during another one does nothing. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const { leases } = this.#options.store;
    try {
      for (const [key, { lease, lost }] of [...this.#held]) {
        if (await leases.renew(lease, LEASE_MS)) continue;
        this.#held.delete(key);
        lost.abort(new Error(`another owner works on ${lease.key}`));
      }
    } finally {
      this.#isRenewing = false;
    }
  }

  #log(error: unknown): void {
    const { logger, queue } = this.#options;
    logger.error(`the queue "${queue}" could not continue: ${errorMessage(error)}`);
  }
}
