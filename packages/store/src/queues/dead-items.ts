import type { ErrorRecord } from "../database/error-record.js";
import { requireLimit } from "../database/row-limit.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import type { OutboxRow } from "../messages/outbox-row.js";
import { toOutboxRow } from "../messages/outbox-row.js";
import { toItem } from "./item.js";
import { QueueTable } from "./queues.js";

/** Queue of the parts of replies, which are rows of the outbox. */
export const REPLY_QUEUE = "reply";
/** Queue of turns, which are rows of a separate table. */
const TURN_QUEUE = "turn";
/** Reason of a part that was not sent because one before it failed. */
export const EARLIER_PART_FAILED = "an earlier chunk failed";
const DISCARDED = "discarded by an operator";

/** Work of a queue. */
export interface QueueCount {
  readonly queue: string;
  /** Items that run or wait. */
  readonly open: number;
  /** Items that failed for good and wait for an operator. */
  readonly dead: number;
}

/** Work that failed for good. */
export interface DeadItem {
  readonly queue: string;
  readonly key: string;
  readonly attempts: number;
  readonly failure?: ErrorRecord | undefined;
  /** Times in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly failedAt?: number | undefined;
  /** The part of a reply, of the queue {@link REPLY_QUEUE}. */
  readonly reply?: OutboxRow | undefined;
}

/** Work of every queue that failed for good, which is kept until it runs again or is discarded (SCALE-014). */
export interface DeadItems {
  /** Returns the work of each queue that has some, and of turns and replies. */
  counts(): Promise<readonly QueueCount[]>;
  /**
   * Returns dead items, the oldest first. Replies whose text retention has erased are left out.
   * @param selection - queue; every one when absent
   */
  list(selection: {
    readonly queue?: string | undefined;
    readonly limit: number;
  }): Promise<readonly DeadItem[]>;
  /** Returns a dead item. */
  get(queue: string, key: string): Promise<DeadItem | undefined>;
  /**
   * Makes a failed part of a reply and those after it, which were not sent because of it, pending again.
   * @param key - ID of the failed part
   * @returns the parts in order; none when it is not dead
   */
  reopenReply(key: string): Promise<readonly OutboxRow[]>;
  /** Gives a dead item up; false when there is none. */
  discard(queue: string, key: string): Promise<boolean>;
}

/** The dead items of a database or transaction. */
export class DeadItemTable implements DeadItems {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async counts(): Promise<readonly QueueCount[]> {
    const query = this.#unit.query();
    const turns = await query
      .selectFrom("turns")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("ended_at", "is", null)
      .executeTakeFirstOrThrow();
    const replies = await query
      .selectFrom("outbox")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
      .where("state", "in", ["pending", "failed"])
      .where("forgotten_at", "is", null)
      .groupBy("state")
      .execute();
    const items = await query
      .selectFrom("queue_items")
      .select(({ fn }) => ["queue", "state", fn.countAll<number>().as("count")])
      .groupBy(["queue", "state"])
      .orderBy("queue")
      .execute();
    const sum = (rows: readonly { state: string; count: number }[], isDead: boolean) =>
      rows
        .filter(({ state }) => (state === "dead" || state === "failed") === isDead)
        .reduce((total, { count }) => total + Number(count), 0);
    const queues = [...new Set(items.map(({ queue }) => queue))];
    return [
      { queue: TURN_QUEUE, open: Number(turns.count), dead: 0 },
      { queue: REPLY_QUEUE, open: sum(replies, false), dead: sum(replies, true) },
      ...queues.map((queue) => {
        const own = items.filter((item) => item.queue === queue);
        return { queue, open: sum(own, false), dead: sum(own, true) };
      }),
    ];
  }

  async list({
    queue,
    limit,
  }: {
    readonly queue?: string | undefined;
    readonly limit: number;
  }): Promise<readonly DeadItem[]> {
    requireLimit("deadItems.list", limit);
    const replies = queue === undefined || queue === REPLY_QUEUE ? await this.#replies(limit) : [];
    const rows = await this.#unit
      .query()
      .selectFrom("queue_items")
      .selectAll()
      .where("state", "=", "dead")
      .$if(queue !== undefined, (query) => query.where("queue", "=", queue ?? ""))
      .orderBy("number")
      .limit(limit)
      .execute();
    const found = [...replies, ...rows.map(toItem)];
    return found.sort((one, other) => one.createdAt - other.createdAt).slice(0, limit);
  }

  async get(queue: string, key: string): Promise<DeadItem | undefined> {
    if (queue !== REPLY_QUEUE) {
      const item = await new QueueTable(this.#unit).get(queue, key);
      return item?.state === "dead" ? item : undefined;
    }
    const row = await this.#failed().where("id", "=", encodeText(key)).executeTakeFirst();
    return row && deadReply(toOutboxRow(row));
  }

  async reopenReply(key: string): Promise<readonly OutboxRow[]> {
    return await this.#unit.atomic(async (unit) => {
      const failed = await new DeadItemTable(unit).get(REPLY_QUEUE, key);
      if (failed?.reply === undefined) return [];
      const { runId, part } = failed.reply;
      const rows = await unit
        .query()
        .updateTable("outbox")
        .set({
          ...{ state: "pending", attempts: 0, error: null, reason: null, settled_at: null },
          node_id: unit.nodeId ?? null,
        })
        .where("run_id", "=", encodeText(runId))
        .where(({ and, eb, or }) =>
          or([
            and([eb("id", "=", encodeText(key)), eb("state", "=", "failed")]),
            and([
              eb("part", ">", part),
              eb("state", "=", "suppressed"),
              eb("reason", "=", encodeText(EARLIER_PART_FAILED)),
            ]),
          ]),
        )
        .returningAll()
        .execute();
      return rows.map(toOutboxRow).sort((one, other) => one.part - other.part);
    });
  }

  async discard(queue: string, key: string): Promise<boolean> {
    return await this.#unit.atomic(async (unit) => {
      if ((await new DeadItemTable(unit).get(queue, key)) === undefined) return false;
      if (queue !== REPLY_QUEUE) return await new QueueTable(unit).remove(queue, key);
      const { numUpdatedRows } = await unit
        .query()
        .updateTable("outbox")
        .set({ state: "suppressed", reason: encodeText(DISCARDED) })
        .where("id", "=", encodeText(key))
        .where("state", "=", "failed")
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    });
  }

  async #replies(limit: number): Promise<readonly DeadItem[]> {
    const rows = await this.#failed().orderBy("position").limit(limit).execute();
    return rows.map(toOutboxRow).map(deadReply);
  }

  #failed() {
    return this.#unit
      .query()
      .selectFrom("outbox")
      .selectAll()
      .where("state", "=", "failed")
      .where("forgotten_at", "is", null);
  }
}

function deadReply(reply: OutboxRow): DeadItem {
  const { id: key, attempts, error: failure, createdAt, settledAt: failedAt } = reply;
  return { queue: REPLY_QUEUE, key, attempts, failure, createdAt, failedAt, reply };
}
