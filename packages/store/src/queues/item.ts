import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import { type ErrorRecord, isErrorRecord } from "../database/error-record.js";
import { isJsonObject, readJson, readOptionalJson, readWord } from "../database/json-column.js";
import { decodeOptionalText, decodeText } from "../database/text-column.js";
import type { Lease } from "../jobs/leases.js";
import type { QueueItemColumns } from "./schema.js";

const ITEM_STATES = ["waiting", "held", "dead"] as const;

/**
 * State of an item: it waits or is worked on, it waits until it is taken by its key, or it has failed too often. An item
 * whose work has ended has no row.
 */
export type QueueItemState = (typeof ITEM_STATES)[number];

/** Number of times that an item may be taken, and the waits in between. */
export interface QueueRetry {
  /** Number of times that it may be taken, the first included; 0 for any number. */
  readonly attempts: number;
  /** Wait after the first failure; each wait after it is twice as long. */
  readonly backoffMs: number;
}

/** Options of a new item. */
export interface QueueItemOptions {
  /** Key of the item; while its queue has one with the key, another is not added. A new one when absent. */
  readonly key?: string | undefined;
  /** Items with the same text run one at a time, in the order in which they were added. */
  readonly singletonKey?: string | undefined;
  /** Time before which it does not run; now when absent. */
  readonly runAt?: number | undefined;
  /** Any number of attempts, a second apart at first, when absent. */
  readonly retry?: QueueRetry | undefined;
  /** Items with a higher priority run first; 0 when absent. */
  readonly priority?: number | undefined;
}

/** An item of a queue. Times are milliseconds since the epoch. */
export interface QueueItem {
  readonly queue: string;
  readonly key: string;
  readonly singletonKey?: string | undefined;
  /** IDs of the rows to work on. */
  readonly payload: JsonObject;
  readonly priority: number;
  readonly runAt: number;
  /** Number of times that it was taken. */
  readonly attempts: number;
  readonly retry: QueueRetry;
  readonly state: QueueItemState;
  readonly failure?: ErrorRecord | undefined;
  readonly createdAt: number;
}

/** An item that one owner works on, under a lease. */
export interface TakenItem extends QueueItem {
  readonly lease: Lease;
}

/** Item that an owner takes, and time of its lease. */
export interface TakeOptions {
  /** Time until the lease expires, unless it is renewed. */
  readonly ttlMs: number;
  /** The item with this key, whatever its time; otherwise the next one. */
  readonly key?: string | undefined;
  /** Takes it also from another owner, of whom the caller knows that it is gone. */
  readonly seize?: boolean | undefined;
}

/** Returns an item from its row. */
export function toItem(row: Selectable<QueueItemColumns>): QueueItem {
  const key = decodeText(row.item_key);
  return {
    queue: row.queue,
    key,
    singletonKey: decodeOptionalText(row.singleton_key),
    payload: readJson(row.payload, isJsonObject, "queue_items.payload", key),
    priority: row.priority,
    runAt: row.run_at,
    attempts: row.attempts,
    retry: { attempts: row.max_attempts, backoffMs: row.backoff_ms },
    state: readWord(row.state, ITEM_STATES, "queue_items.state", key),
    failure: readOptionalJson(row.failure, isErrorRecord, "queue_items.failure", key),
    createdAt: row.created_at,
  };
}
