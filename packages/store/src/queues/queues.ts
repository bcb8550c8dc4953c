import { randomUUID } from "node:crypto";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { ErrorRecord } from "../database/error-record.js";
import { writeJson } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import { encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { LeaseTable } from "../jobs/leases.js";
import {
  type QueueItem,
  type QueueItemOptions,
  type QueueItemState,
  type TakenItem,
  type TakeOptions,
  toItem,
} from "./item.js";
import { requireItem } from "./item-check.js";
import { availableItem } from "./next-item.js";

/** Topic of the changes of queues, whose text is the name of the queue (SCALE-508). */
export const QUEUE_CHANGES = "queue-changes";
/** Longest wait between two attempts. */
const LONGEST_BACKOFF_MS = 3_600_000;
const ANY_NUMBER = { attempts: 0, backoffMs: 1_000 };

/**
 * Queues of work. An item is added in the transaction of the change that it announces, is worked on by one owner at a
 * time, under a lease, and is removed in the transaction that stores the end of the work (SCALE-500). Each change after which
 * an item may run is published on the topic {@link QUEUE_CHANGES}.
 */
export interface Queues {
  /**
   * Adds an item, unless its queue has one with its key.
   * @param queue - name of lower-case letters, digits and `-`
   * @param payload - IDs of the rows to work on, at most 1 KiB of JSON
   * @param options - key, order, time and repeats
   * @returns the item with the key, and whether it is new
   * @throws StoreArgumentError for an invalid name, payload or number
   */
  enqueue(
    queue: string,
    payload: JsonObject,
    options?: QueueItemOptions,
  ): Promise<{ readonly item: QueueItem; readonly isNew: boolean }>;
  /**
   * Takes an item that no other owner works on: of those whose time has come, the oldest of the highest priority. One
   * that was taken as often as it may be, whose owners were all killed, is dead instead.
   * @param owner - ID of the process
   * @param options - time of the lease, and which item
   * @returns undefined when there is none
   */
  take(queue: string, owner: string, options: TakeOptions): Promise<TakenItem | undefined>;
  /**
   * Removes an item whose work has ended; call it in the transaction that stores the end.
   * @throws LeaseLostError when another owner has it
   */
  complete(taken: TakenItem): Promise<void>;
  /**
   * Gives an item back whose work has failed: it runs again after its wait, or is dead after its last attempt.
   * @throws LeaseLostError when another owner has it
   */
  fail(taken: TakenItem, failure: ErrorRecord): Promise<QueueItemState>;
  /**
   * Gives an item back that runs again later; the attempt does not count.
   * @param runAt - time before which it does not run
   * @throws LeaseLostError when another owner has it
   */
  postpone(taken: TakenItem, runAt: number): Promise<void>;
  /** Keeps an item until it is taken by its key; false when there is none. Its lease stays as it is. */
  hold(queue: string, key: string): Promise<boolean>;
  /** Lets a held or dead item run again, from its first attempt; false when there is none. */
  requeue(queue: string, key: string): Promise<boolean>;
  /** Removes an item, also one that is worked on; false when there is none. */
  remove(queue: string, key: string): Promise<boolean>;
  /** Returns an item. */
  get(queue: string, key: string): Promise<QueueItem | undefined>;
  /**
   * Returns items in the order in which they were added.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  list(
    queue: string,
    selection: { readonly state?: QueueItemState | undefined; readonly limit: number },
  ): Promise<readonly QueueItem[]>;
  /** Returns the earliest time, after now, before which an item does not run; undefined when every time has come. */
  nextTime(queue: string): Promise<number | undefined>;
}

/** The queues of a database or transaction. */
export class QueueTable implements Queues {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async enqueue(queue: string, payload: JsonObject, options: QueueItemOptions = {}) {
    const { singletonKey, retry = ANY_NUMBER, priority = 0 } = options;
    const key = options.key ?? randomUUID();
    const written = writeJson(payload, "queue_items.payload", key);
    requireItem(queue, key, written, [retry.attempts, retry.backoffMs]);
    return await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      const added = await unit
        .query()
        .insertInto("queue_items")
        .values({
          queue,
          item_key: encodeText(key),
          singleton_key: encodeOptionalText(singletonKey),
          payload: written,
          priority,
          run_at: options.runAt ?? now,
          attempts: 0,
          max_attempts: retry.attempts,
          backoff_ms: retry.backoffMs,
          state: "waiting",
          created_at: now,
        })
        .onConflict((conflict) => conflict.columns(["queue", "item_key"]).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (added !== undefined) {
        unit.topics.publish(QUEUE_CHANGES, queue);
        return { item: toItem(added), isNew: true };
      }
      const known = await this.#row(unit, queue, key).executeTakeFirstOrThrow();
      return { item: toItem(known), isNew: false };
    });
  }

  async take(queue: string, owner: string, options: TakeOptions): Promise<TakenItem | undefined> {
    return await this.#unit.atomic(async (unit) => {
      for (;;) {
        const row = await availableItem(unit, queue, options);
        if (row === undefined) return undefined;
        const item = toItem(row);
        if (row.max_attempts > 0 && row.attempts >= row.max_attempts) {
          const message = `its owners ended ${row.attempts} times before its work did`;
          await change(unit, item, { state: "dead", failure: failureOf(item, message) });
          continue;
        }
        const lease = await new LeaseTable(unit).acquire(leaseKey(item), owner, {
          ...options,
          seize: true,
        });
        if (lease === undefined) return undefined;
        const attempts = row.attempts + 1;
        await change(unit, item, { attempts, state: "waiting" });
        return { ...item, attempts, state: "waiting", lease };
      }
    });
  }

  async complete(taken: TakenItem): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      await giveBack(unit, taken);
      await new QueueTable(unit).remove(taken.queue, taken.key);
    });
  }

  async fail(taken: TakenItem, failure: ErrorRecord): Promise<QueueItemState> {
    const { attempts, retry } = taken;
    const state = retry.attempts > 0 && attempts >= retry.attempts ? "dead" : "waiting";
    await this.#unit.atomic(async (unit) => {
      await giveBack(unit, taken);
      const wait = Math.min(LONGEST_BACKOFF_MS, retry.backoffMs * 2 ** Math.min(attempts - 1, 40));
      await change(unit, taken, {
        state,
        run_at: (await unit.clock()) + wait,
        failure: writeJson(failure, "queue_items.failure", taken.key),
      });
      unit.topics.publish(QUEUE_CHANGES, taken.queue);
    });
    return state;
  }

  async postpone(taken: TakenItem, runAt: number): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      await giveBack(unit, taken);
      await change(unit, taken, { run_at: runAt, attempts: taken.attempts - 1 });
      unit.topics.publish(QUEUE_CHANGES, taken.queue);
    });
  }

  async hold(queue: string, key: string): Promise<boolean> {
    return this.#told(queue, await change(this.#unit, { queue, key }, { state: "held" }));
  }

  async requeue(queue: string, key: string): Promise<boolean> {
    const fresh = { state: "waiting", attempts: 0, run_at: await this.#unit.clock() };
    return this.#told(queue, await change(this.#unit, { queue, key }, fresh, ["held", "dead"]));
  }

  async remove(queue: string, key: string): Promise<boolean> {
    const { numDeletedRows } = await this.#unit
      .query()
      .deleteFrom("queue_items")
      .where("queue", "=", queue)
      .where("item_key", "=", encodeText(key))
      .executeTakeFirstOrThrow();
    return this.#told(queue, numDeletedRows > 0n);
  }

  async get(queue: string, key: string): Promise<QueueItem | undefined> {
    const row = await this.#row(this.#unit, queue, key).executeTakeFirst();
    return row && toItem(row);
  }

  async list(
    queue: string,
    { state, limit }: { readonly state?: QueueItemState | undefined; readonly limit: number },
  ): Promise<readonly QueueItem[]> {
    requireLimit("queues.list", limit);
    const rows = await this.#unit
      .query()
      .selectFrom("queue_items")
      .selectAll()
      .where("queue", "=", queue)
      .$if(state !== undefined, (query) => query.where("state", "=", state ?? ""))
      .orderBy("number")
      .limit(limit)
      .execute();
    return rows.map(toItem);
  }

  async nextTime(queue: string): Promise<number | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("queue_items")
      .select("run_at")
      .where("queue", "=", queue)
      .where("state", "=", "waiting")
      .where("run_at", ">", await this.#unit.clock())
      .orderBy("run_at")
      .limit(1)
      .executeTakeFirst();
    return row?.run_at;
  }

  /** Publishes a change of a queue; true when there was one. */
  #told(queue: string, isChanged: boolean): boolean {
    if (isChanged) this.#unit.topics.publish(QUEUE_CHANGES, queue);
    return isChanged;
  }

  #row(unit: UnitOfWork, queue: string, key: string) {
    return unit
      .query()
      .selectFrom("queue_items")
      .selectAll()
      .where("queue", "=", queue)
      .where("item_key", "=", encodeText(key));
  }
}

/** Returns the key of the lease under which an item is worked on. */
function leaseKey({ queue, key }: Pick<QueueItem, "queue" | "key">): string {
  return `${queue}:${key}`;
}

/** Ends the lease of an item; the work of an owner that has lost it is not stored. */
async function giveBack(unit: UnitOfWork, { lease }: TakenItem): Promise<void> {
  const leases = new LeaseTable(unit);
  await leases.assertHeld(lease);
  await leases.release(lease);
}

async function change(
  unit: UnitOfWork,
  { queue, key }: Pick<QueueItem, "queue" | "key">,
  columns: {
    readonly state?: string;
    readonly attempts?: number;
    readonly run_at?: number;
    readonly failure?: string;
  },
  from: readonly QueueItemState[] = ["waiting", "held", "dead"],
): Promise<boolean> {
  const { numUpdatedRows } = await unit
    .query()
    .updateTable("queue_items")
    .set(columns)
    .where("queue", "=", queue)
    .where("item_key", "=", encodeText(key))
    .where("state", "in", [...from])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function failureOf({ key }: QueueItem, message: string): string {
  return writeJson({ code: "QUEUE_OWNER_ENDED", message }, "queue_items.failure", key);
}
