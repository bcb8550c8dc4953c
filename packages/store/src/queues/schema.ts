import type { Generated } from "kysely";

/** Tables of the queues context. Times are milliseconds since the epoch. */
export interface QueueSchema {
  queue_items: QueueItemColumns;
  signals: SignalColumns;
}

export interface QueueItemColumns {
  /** Order of the items; the database numbers them. */
  number: Generated<number>;
  queue: string;
  /** Key of the item, of which its queue has one at a time. */
  item_key: string;
  /** Items with the same text run one at a time, in their order. */
  singleton_key: string | null;
  /** JSON: the IDs of the rows to work on. */
  payload: string;
  priority: number;
  /** Time before which it does not run. */
  run_at: number;
  /** Number of times that it was taken. */
  attempts: number;
  /** Number of times that it may be taken; 0 for any number. */
  max_attempts: number;
  /** Wait after the first failure; each wait after it is twice as long. */
  backoff_ms: number;
  state: string;
  /** JSON: code and message of the last failure. */
  failure: string | null;
  created_at: number;
}

export interface SignalColumns {
  signal_id: string;
  /** JSON. */
  value: string;
  created_at: number;
}
