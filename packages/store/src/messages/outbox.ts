import { sql } from "kysely";
import type { ErrorRecord } from "../database/error-record.js";
import { writeJson, writeOptionalJson } from "../database/json-column.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowConstraintError, RowNotFoundError, RowStateError } from "../errors.js";
import { appendStep } from "../turns/journal.js";
import { insertPart, type PartEnding, settlePart } from "./outbox-queries.js";
import {
  type Cancellation,
  type NewReply,
  type OutboxRow,
  type OutboxState,
  toOutboxRow,
} from "./outbox-row.js";

const UNTOLD = { message_id: null, reason: null, cancellation: null, error: null, attempts: 0 };

/** Outbound replies (TURN-047). */
export interface Outbox {
  /**
   * Stores a part of a reply; call it in the transaction that ends the turn. A second call with the
   * same run id and part stores nothing and returns the first row with `duplicate` true.
   * @throws RowNotFoundError when the message it answers does not exist
   */
  add(reply: NewReply): Promise<{ row: OutboxRow; duplicate: boolean }>;
  /** Marks a pending part as delivered. Throws as {@link Outbox.failed}. */
  delivered(id: string, delivery?: { messageId?: string | undefined }): Promise<OutboxRow>;
  /**
   * Divides a pending part to fit a channel: it keeps the first chunk, and each further chunk
   * becomes a row.
   * @param id - id of a pending part
   * @param contents - chunks in order, at least one
   * @param nextPart - number of the first part that is added
   * @throws RowNotFoundError when the part does not exist
   * @throws RowStateError when it is no longer pending, or a part number is taken
   */
  divide(id: string, contents: readonly string[], nextPart: number): Promise<readonly OutboxRow[]>;
  /** Marks a pending part as suppressed. Throws as {@link Outbox.failed}. */
  suppressed(id: string, reason: string, cancellation?: Cancellation): Promise<OutboxRow>;
  /**
   * Marks a pending part as failed.
   * @throws RowNotFoundError when the part does not exist
   * @throws RowStateError when it is no longer pending
   */
  failed(id: string, failure: { error: ErrorRecord; attempts: number }): Promise<OutboxRow>;
  /** Returns the part with an id. */
  get(id: string): Promise<OutboxRow | undefined>;
  /** Returns the parts of the reply of a run, in order. */
  partsOf(runId: string): Promise<readonly OutboxRow[]>;
  /** Returns the pending parts that this node delivers, oldest first. */
  undelivered(): Promise<readonly OutboxRow[]>;
  /** Returns the number of failed parts of each channel and account, with the newest failure. */
  failures(): Promise<readonly DeliveryFailures[]>;
}

/** Failed parts of one account of a channel. */
export interface DeliveryFailures {
  readonly channel: string;
  readonly accountId: string | undefined;
  readonly count: number;
  /** Message of the newest failure. */
  readonly message: string;
  /** Time of the newest failure, in milliseconds since the epoch. */
  readonly at: number;
}

/** The outbox of a database or transaction. */
export class OutboxTable implements Outbox {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;

  constructor(unit: UnitOfWork, newId: (now: number) => string) {
    this.#unit = unit;
    this.#newId = newId;
  }

  async add(reply: NewReply): Promise<{ row: OutboxRow; duplicate: boolean }> {
    const { runId, part, inboxId, target } = reply;
    const now = this.#unit.now();
    const id = this.#newId(now);
    return await this.#unit.atomic(async (unit) => {
      const [added] = await insertPart(unit, {
        id,
        run_id: encodeText(runId),
        part,
        inbox_id: encodeOptionalText(inboxId),
        session_key: encodeText(reply.sessionKey),
        channel: encodeText(target.channel),
        recipient: encodeText(target.to),
        account_id: encodeOptionalText(target.accountId),
        thread_id: encodeOptionalText(target.threadId),
        content: encodeText(reply.content),
        attachments: writeJson(reply.attachments ?? [], "outbox.attachments", id),
        reply_to_id: encodeOptionalText(reply.replyToId),
        created_at: now,
        node_id: unit.nodeId ?? null,
      }).catch((error: unknown) => {
        if (!RowConstraintError.isInstance(error) || error.constraint !== "foreign-key") {
          throw error;
        }
        throw new RowNotFoundError(
          `outbox.add(${runId}, part ${part})`,
          `message ${inboxId}`,
          "accept the message first, or leave inboxId out",
        );
      });
      if (added !== undefined) {
        await appendStep(added.run_id, { kind: "reply-stored", outboxId: id, part }, unit);
        return { row: toOutboxRow(added), duplicate: false };
      }
      const first = await unit
        .query()
        .selectFrom("outbox")
        .selectAll()
        .where("run_id", "=", encodeText(runId))
        .where("part", "=", part)
        .executeTakeFirstOrThrow();
      return { row: toOutboxRow(first), duplicate: true };
    });
  }

  async delivered(
    id: string,
    { messageId }: { messageId?: string | undefined } = {},
  ): Promise<OutboxRow> {
    return await this.#settle(id, {
      state: "delivered",
      message_id: encodeOptionalText(messageId),
    });
  }

  async divide(
    id: string,
    contents: readonly string[],
    nextPart: number,
  ): Promise<readonly OutboxRow[]> {
    const [first = "", ...others] = contents;
    return await this.#unit.atomic(async (unit) => {
      const kept = await unit
        .query()
        .updateTable("outbox")
        .set({ content: encodeText(first) })
        .where("id", "=", encodeText(id))
        .where("state", "=", "pending")
        .returningAll()
        .executeTakeFirst();
      const call = `outbox.divide(${id})`;
      const outbox = new OutboxTable(unit, this.#newId);
      if (kept === undefined) return await outbox.#refuse(call, id);
      const head = toOutboxRow(kept);
      const rows = [head];
      for (const [index, content] of others.entries()) {
        const part = nextPart + index;
        const added = await outbox.add({ ...head, part, content, attachments: [] });
        if (added.duplicate) {
          const nextStep = "use each part number of a run once";
          throw new RowStateError(call, `part ${part} present`, "absent", nextStep);
        }
        rows.push(added.row);
      }
      const step = { kind: "reply-divided", outboxId: id, parts: rows.length } as const;
      await appendStep(kept.run_id, step, unit);
      return rows;
    });
  }

  async suppressed(id: string, reason: string, cancellation?: Cancellation): Promise<OutboxRow> {
    return await this.#settle(id, {
      state: "suppressed",
      reason: encodeText(reason),
      cancellation: writeOptionalJson(cancellation, "outbox.cancellation", id),
    });
  }

  async failed(
    id: string,
    { error, attempts }: { error: ErrorRecord; attempts: number },
  ): Promise<OutboxRow> {
    const text = writeJson(error, "outbox.error", id);
    return await this.#settle(id, { state: "failed", error: text, attempts });
  }

  async get(id: string): Promise<OutboxRow | undefined> {
    const row = await this.#unit
      .query()
      .selectFrom("outbox")
      .selectAll()
      .where("id", "=", encodeText(id))
      .executeTakeFirst();
    return row === undefined ? undefined : toOutboxRow(row);
  }

  async partsOf(runId: string): Promise<readonly OutboxRow[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("outbox")
      .selectAll()
      .where("run_id", "=", encodeText(runId))
      .orderBy("part")
      .execute();
    return rows.map(toOutboxRow);
  }

  async undelivered(): Promise<readonly OutboxRow[]> {
    const { nodeId } = this.#unit;
    const rows = await this.#unit
      .query()
      .selectFrom("outbox")
      .selectAll()
      // A literal, not a parameter, so that the planner can use the partial index.
      .where("state", "=", sql.lit("pending"))
      .$if(nodeId !== undefined, (query) => query.where("node_id", "=", nodeId ?? ""))
      .orderBy("position")
      .execute();
    return rows.map(toOutboxRow);
  }

  async failures(): Promise<readonly DeliveryFailures[]> {
    const groups = await this.#unit
      .query()
      .selectFrom("outbox")
      .select(({ fn }) => [
        "channel",
        "account_id",
        fn.countAll<number>().as("failed"),
        fn.max<number>("position").as("newest"),
      ])
      .where("state", "=", "failed")
      .groupBy(["channel", "account_id"])
      .execute();
    if (groups.length === 0) return [];
    const rows = await this.#unit
      .query()
      .selectFrom("outbox")
      .selectAll()
      .where(
        "position",
        "in",
        groups.map(({ newest }) => newest),
      )
      .execute();
    return rows.map(toOutboxRow).map(({ target, error, settledAt = 0 }) => {
      const of = (row: { channel: string; account_id: string | null }) =>
        decodeText(row.channel) === target.channel &&
        decodeOptionalText(row.account_id) === target.accountId;
      return {
        channel: target.channel,
        accountId: target.accountId,
        count: Number(groups.find(of)?.failed ?? 0),
        message: error?.message ?? "",
        at: settledAt,
      };
    });
  }

  async #settle(
    id: string,
    ending: { state: Exclude<OutboxState, "pending"> } & Partial<PartEnding>,
  ): Promise<OutboxRow> {
    const settled = await this.#unit.atomic(async (unit) => {
      const settled_at = unit.now();
      const [row] = await settlePart(unit, {
        ...UNTOLD,
        ...ending,
        id: encodeText(id),
        settled_at,
      });
      if (row === undefined) return undefined;
      const { state } = ending;
      const step = { kind: "part-settled", outboxId: row.id, part: row.part, state } as const;
      await appendStep(row.run_id, step, unit);
      return row;
    });
    if (settled !== undefined) return toOutboxRow(settled);

    return await this.#refuse(`outbox.${ending.state}(${id})`, id);
  }

  /** Throws the error that explains why a part could not be changed. */
  async #refuse(call: string, id: string): Promise<never> {
    const row = await this.get(id);
    if (row === undefined) throw new RowNotFoundError(call, "the part", "add it first");
    throw new RowStateError(call, row.state, "pending", "a part has one outcome only");
  }
}
