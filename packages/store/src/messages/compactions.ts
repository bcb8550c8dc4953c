import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { readWord } from "../database/json-column.js";
import { preparedQuery } from "../database/prepared-query.js";
import type { Schema } from "../database/schema.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowConstraintError, RowNotFoundError } from "../errors.js";
import type { CompactionColumns } from "./schema.js";

const STRATEGIES = ["summarise", "truncate", "archive"] as const;

/**
 * Method of shortening a conversation: replacing its older part with a summary, dropping it, or moving it to the memory.
 */
export type CompactionStrategy = (typeof STRATEGIES)[number];

/** A compaction about to be recorded. */
export interface NewCompaction {
  /** The incarnation of the session, as {@link Session.sessionId}. */
  readonly sessionId: string;
  /** The last transcript entry that is no longer sent to models. */
  readonly upToSeq: number;
  /** The turn that triggered it. */
  readonly runId?: string | undefined;
  readonly strategy: CompactionStrategy;
  readonly summary?: string | undefined;
  /** Number of messages that it removed from the conversation. */
  readonly compactedCount: number;
}

/** A recorded compaction. */
export interface Compaction extends NewCompaction {
  /** Notes of plugins about it. */
  readonly annotation?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/**
 * Compactions: the parts of transcripts that are no longer sent to models. The transcripts
 * themselves stay complete.
 */
export interface Compactions {
  /**
   * Records a compaction, replacing one at the same position.
   * @throws RowNotFoundError when the session has no such incarnation
   */
  record(compaction: NewCompaction): Promise<void>;
  /**
   * Stores notes of plugins about a compaction.
   * @throws RowNotFoundError when the compaction does not exist
   */
  annotate(sessionId: string, upToSeq: number, annotation: string): Promise<void>;
  /** Returns the newest compaction of an incarnation that was not taken back with a turn. */
  latest(sessionId: string): Promise<Compaction | undefined>;
}

/** The compactions of a database or transaction. */
export class CompactionTable implements Compactions {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async record(compaction: NewCompaction): Promise<void> {
    const { sessionId, upToSeq, runId, strategy, summary, compactedCount } = compaction;
    const id = encodeText(sessionId);
    const { at_seq } = await this.#unit
      .query()
      .selectFrom("transcript")
      .select(({ fn }) => fn.max<number | null>("seq").as("at_seq"))
      .where("session_id", "=", id)
      .where("hidden_by", "is", null)
      .executeTakeFirstOrThrow();
    const content = {
      run_id: encodeOptionalText(runId),
      strategy,
      summary: encodeOptionalText(summary),
      annotation: null,
      compacted_count: compactedCount,
      created_at: this.#unit.now(),
      at_seq,
    };
    await this.#unit
      .query()
      .insertInto("compactions")
      .values({ session_id: id, up_to_seq: upToSeq, ...content })
      .onConflict((conflict) => conflict.columns(["session_id", "up_to_seq"]).doUpdateSet(content))
      .execute()
      .catch((error: unknown) => {
        if (!RowConstraintError.isInstance(error) || error.constraint !== "foreign-key") {
          throw error;
        }
        const missing = `incarnation ${sessionId}`;
        throw new RowNotFoundError("compactions.record", missing, "open the session first");
      });
  }

  async annotate(sessionId: string, upToSeq: number, annotation: string): Promise<void> {
    const noted = await this.#unit
      .query()
      .updateTable("compactions")
      .set({ annotation: encodeText(annotation) })
      .where("session_id", "=", encodeText(sessionId))
      .where("up_to_seq", "=", upToSeq)
      .returning("up_to_seq")
      .executeTakeFirst();
    if (noted !== undefined) return;
    const missing = `the compaction of ${sessionId} up to ${upToSeq}`;
    throw new RowNotFoundError("compactions.annotate", missing, "record it first");
  }

  async latest(sessionId: string): Promise<Compaction | undefined> {
    const [row] = await newestOf(this.#unit, { session_id: encodeText(sessionId) });
    return row === undefined ? undefined : toCompaction(row);
  }
}

/** Selects compactions whose last entry was not taken back. */
export function isInEffect({ not, exists, selectFrom }: ExpressionBuilder<Schema, "compactions">) {
  return not(
    exists(
      selectFrom("transcript")
        .select("transcript.seq")
        .whereRef("transcript.session_id", "=", "compactions.session_id")
        .whereRef("transcript.seq", "=", "compactions.at_seq")
        .where("transcript.hidden_by", "is not", null),
    ),
  );
}

const newestOf = preparedQuery<{ session_id: string }, Selectable<CompactionColumns>>(
  (query, parameter) =>
    query
      .selectFrom("compactions")
      .selectAll()
      .where("session_id", "in", [parameter("session_id")])
      .where(isInEffect)
      .orderBy("up_to_seq", "desc")
      .limit(sql.lit(1)),
);

function toCompaction(row: Selectable<CompactionColumns>): Compaction {
  const sessionId = decodeText(row.session_id);
  return {
    sessionId,
    upToSeq: row.up_to_seq,
    strategy: readWord(row.strategy, STRATEGIES, "compactions.strategy", sessionId),
    compactedCount: row.compacted_count,
    createdAt: row.created_at,
    runId: decodeOptionalText(row.run_id),
    summary: decodeOptionalText(row.summary),
    annotation: decodeOptionalText(row.annotation),
  };
}
