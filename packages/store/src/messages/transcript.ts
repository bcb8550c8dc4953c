import type { Selectable } from "kysely";
import { readJson, writeJson } from "../database/json-column.js";
import { preparedQuery } from "../database/prepared-query.js";
import { requireLimit } from "../database/row-limit.js";
import { decodeOptionalText, encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError } from "../errors.js";
import type { SessionColumns, SessionIncarnationColumns } from "../sessions/schema.js";
import { appendStep } from "../turns/journal.js";
import type { TranscriptColumns } from "./schema.js";
import type { TranscriptCache } from "./transcript-cache.js";
import {
  isAgentMessage,
  type NewTranscriptEntry,
  type TranscriptEntry,
} from "./transcript-entry.js";
import { readMessages, type TranscriptMessages } from "./transcript-messages.js";

/** Columns of an entry. */
export type EntryRow = Omit<Selectable<TranscriptColumns>, "session_id" | "hidden_by">;

/** Number of entries among which the first message of a user is. */
const FIRST_ENTRIES = 5;

/** Transcripts: the messages of the agent and the user, per incarnation of a session. */
export interface Transcript {
  /**
   * Appends a message, marks the session as used, and journals the step of its turn.
   * @throws RowNotFoundError when the session has no such incarnation
   * @throws RowDataError when the message is not a JSON value
   */
  append(entry: NewTranscriptEntry): Promise<{ entryId: string; seq: number }>;
  /**
   * Returns entries in the order they were written, without those that were taken back.
   * @param options - only the last `limit` entries, only those before `beforeSeq` or after
   *   `afterSeq`; `asSeenBy` returns entries that were visible when the one
   *   at this place was written, even if it was taken back since
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  load(
    sessionId: string,
    options?: {
      limit?: number | undefined;
      beforeSeq?: number | undefined;
      afterSeq?: number | undefined;
      asSeenBy?: number | undefined;
    },
  ): Promise<readonly TranscriptEntry[]>;
  /**
   * Returns all messages after a place, without those that were taken back. They are kept in memory, up to a size:
   * later calls return the same frozen messages.
   * @param sessionId - incarnation of the session
   * @param afterSeq - place before the first message; 0, the default, for all
   */
  messages(sessionId: string, afterSeq?: number): Promise<TranscriptMessages>;
  /**
   * Returns the first message of a user from a place on; undefined when there is none.
   * @param sessionId - incarnation of the session
   * @param fromSeq - place of the first entry to consider
   */
  firstOfUser(sessionId: string, fromSeq: number): Promise<TranscriptEntry | undefined>;
  /** Returns the number of entries that were not taken back. */
  count(sessionId: string): Promise<number>;
}

/** The transcripts of a database or transaction. */
export class TranscriptTable implements Transcript {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;
  readonly #cache: TranscriptCache | undefined;

  /**
   * @param unit - the database or transaction
   * @param newId - creates the ids of new entries
   * @param cache - messages that were read before; not for a transaction, whose own entries may be undone
   */
  constructor(unit: UnitOfWork, newId: (now: number) => string, cache?: TranscriptCache) {
    this.#unit = unit;
    this.#newId = newId;
    this.#cache = cache;
  }

  async append({
    sessionId,
    runId,
    message,
  }: NewTranscriptEntry): Promise<{ entryId: string; seq: number }> {
    const now = this.#unit.now();
    const entryId = this.#newId(now);
    const text = writeJson(message, "transcript.message", entryId);
    return await this.#unit.atomic(async (unit) => {
      const [incarnation] = await takePlace(unit, { session_id: encodeText(sessionId) });
      if (incarnation === undefined) {
        const missing = `incarnation ${sessionId}`;
        throw new RowNotFoundError("transcript.append", missing, "open the session first");
      }
      const { session_id, session_key } = incarnation;
      await markUsed(unit, { session_key, updated_at: now });
      await insertEntry(unit, {
        session_id,
        seq: incarnation.last_seq,
        entry_id: entryId,
        run_id: encodeOptionalText(runId),
        message: text,
        created_at: now,
      });
      const { last_seq: seq } = incarnation;
      if (runId !== undefined) {
        const { role } = message;
        const step = { kind: "message-stored", entryId, sessionId, seq, role } as const;
        await appendStep(encodeText(runId), step, unit);
      }
      return { entryId, seq };
    });
  }

  async load(
    sessionId: string,
    {
      limit,
      beforeSeq,
      afterSeq,
      asSeenBy,
    }: {
      limit?: number | undefined;
      beforeSeq?: number | undefined;
      afterSeq?: number | undefined;
      asSeenBy?: number | undefined;
    } = {},
  ): Promise<readonly TranscriptEntry[]> {
    if (limit !== undefined) requireLimit("transcript.load", limit);
    let query = this.#unit
      .query()
      .selectFrom("transcript")
      .select(["entry_id", "seq", "run_id", "message", "created_at"])
      // Not "=", because SQLite would then plan the query again for each run.
      .where("session_id", "in", [encodeText(sessionId)])
      .orderBy("seq", "desc");
    query = query.where(({ eb, or, selectFrom }) => {
      const isVisible = eb("hidden_by", "is", null);
      if (asSeenBy === undefined) return isVisible;
      const reader = selectFrom("transcript as reader")
        .select("reader.hidden_by")
        .where("reader.session_id", "=", encodeText(sessionId))
        .where("reader.seq", "=", asSeenBy);
      // What was taken back together with the reader, or later, was visible to it.
      return or([isVisible, eb("hidden_by", ">=", reader)]);
    });
    if (beforeSeq !== undefined) query = query.where("seq", "<", beforeSeq);
    if (afterSeq !== undefined) query = query.where("seq", ">", afterSeq);
    if (limit !== undefined) query = query.limit(limit);
    const rows = await query.execute();
    return rows.map((row) => toEntry(sessionId, row)).reverse();
  }

  messages(sessionId: string, afterSeq = 0): Promise<TranscriptMessages> {
    return readMessages(this.#unit, { sessionId, afterSeq }, this.#cache);
  }

  async firstOfUser(sessionId: string, fromSeq: number): Promise<TranscriptEntry | undefined> {
    const rows = await this.#unit
      .query()
      .selectFrom("transcript")
      .select(["entry_id", "seq", "run_id", "message", "created_at"])
      .where("session_id", "=", encodeText(sessionId))
      .where("seq", ">=", fromSeq)
      .where("hidden_by", "is", null)
      .orderBy("seq")
      .limit(FIRST_ENTRIES)
      .execute();
    const entries = rows.map((row) => toEntry(sessionId, row));
    return entries.find(({ message }) => message.role === "user");
  }

  async count(sessionId: string): Promise<number> {
    const { entries } = await this.#unit
      .query()
      .selectFrom("transcript")
      .select((column) => column.fn.countAll<number>().as("entries"))
      .where("session_id", "=", encodeText(sessionId))
      .where("hidden_by", "is", null)
      .executeTakeFirstOrThrow();
    return entries;
  }
}

const takePlace = preparedQuery<
  Pick<SessionIncarnationColumns, "session_id">,
  Pick<SessionIncarnationColumns, "session_id" | "session_key" | "last_seq">
>((query, parameter) =>
  query
    .updateTable("session_incarnations")
    .set((column) => ({
      last_seq: column("last_seq", "+", 1),
      message_count: column("message_count", "+", 1),
    }))
    .where("session_id", "=", parameter("session_id"))
    .returning(["session_id", "session_key", "last_seq"]),
);

const markUsed = preparedQuery<Pick<SessionColumns, "session_key" | "updated_at">, unknown>(
  (query, parameter) =>
    query
      .updateTable("sessions")
      .set({ updated_at: parameter("updated_at") })
      .where("session_key", "=", parameter("session_key")),
);

const insertEntry = preparedQuery<Omit<TranscriptColumns, "hidden_by">, unknown>(
  (query, parameter) =>
    query.insertInto("transcript").values({
      session_id: parameter("session_id"),
      seq: parameter("seq"),
      entry_id: parameter("entry_id"),
      run_id: parameter("run_id"),
      message: parameter("message"),
      created_at: parameter("created_at"),
    }),
);

/**
 * Returns an entry of a transcript from its row.
 * @param sessionId - incarnation of the session
 * @param row - its columns
 */
export function toEntry(sessionId: string, row: EntryRow): TranscriptEntry {
  const entryId = row.entry_id;
  const message = readJson(row.message, isAgentMessage, "transcript.message", entryId);
  const runId = decodeOptionalText(row.run_id);
  return { entryId, sessionId, runId, seq: row.seq, message, createdAt: row.created_at };
}
