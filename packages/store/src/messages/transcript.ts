import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import { isJsonObject, readJson, writeJson } from "../database/json-column.js";
import { preparedQuery } from "../database/prepared-query.js";
import { requireLimit } from "../database/row-limit.js";
import { decodeOptionalText, encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError } from "../errors.js";
import type { SessionColumns, SessionIncarnationColumns } from "../sessions/schema.js";
import { appendStep } from "../turns/journal.js";
import type { TranscriptColumns } from "./schema.js";
import { type KeptMessages, keptSize, type TranscriptCache } from "./transcript-cache.js";
import type { NewTranscriptEntry, TranscriptEntry } from "./transcript-entry.js";

const ROLES: readonly unknown[] = ["user", "assistant", "toolResult"];

/** Messages of a transcript and their places in it, in the order they were written. */
export type TranscriptMessages = Pick<KeptMessages, "messages" | "places">;

/** Transcripts: the messages of the agent and the user, per incarnation of a session. */
export interface Transcript {
  /**
   * Appends a message, marks the session as used, and journals the step of its turn.
   * @throws RowNotFoundError when the session has no such incarnation
   * @throws RowDataError when the message is not a JSON value
   */
  append(entry: NewTranscriptEntry): Promise<{ entryId: string; seq: number }>;
  /**
   * Returns entries in the order they were written.
   * @param options - only the last `limit` entries, only those before `beforeSeq` or after
   *   `afterSeq`
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  load(
    sessionId: string,
    options?: {
      limit?: number | undefined;
      beforeSeq?: number | undefined;
      afterSeq?: number | undefined;
    },
  ): Promise<readonly TranscriptEntry[]>;
  /**
   * Returns all messages after a place. They are kept in memory, up to a size: later calls return the same frozen
   * messages.
   * @param sessionId - incarnation of the session
   * @param afterSeq - place before the first message; 0, the default, for all
   */
  messages(sessionId: string, afterSeq?: number): Promise<TranscriptMessages>;
  /** Returns the number of entries. */
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
    }: {
      limit?: number | undefined;
      beforeSeq?: number | undefined;
      afterSeq?: number | undefined;
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
    if (beforeSeq !== undefined) query = query.where("seq", "<", beforeSeq);
    if (afterSeq !== undefined) query = query.where("seq", ">", afterSeq);
    if (limit !== undefined) query = query.limit(limit);
    const rows = await query.execute();
    return rows.map((row) => toEntry(sessionId, row)).reverse();
  }

  async messages(sessionId: string, afterSeq = 0): Promise<TranscriptMessages> {
    const session_id = encodeText(sessionId);
    const kept = await this.#verified(session_id, this.#cache?.get(sessionId, afterSeq));
    const last = kept?.places.at(-1) ?? afterSeq;
    const rows = await messagesAfter(this.#unit, { session_id, seq: last });
    if (rows.length === 0 && kept !== undefined) return kept;
    const added = rows.map(({ seq, message }) => {
      const id = `${sessionId}#${seq}`;
      const read = readJson(message, isAgentMessage, "transcript.message", id);
      // Every caller shares it.
      freezeInDepth(read);
      return read;
    });
    const messages = [...(kept?.messages ?? []), ...added];
    const places = [...(kept?.places ?? []), ...rows.map(({ seq }) => seq)];
    const bytes = (kept?.bytes ?? 0) + keptSize(rows.map(({ message }) => message));
    this.#cache?.set(sessionId, { afterSeq, messages, places, bytes });
    return { messages, places };
  }

  /**
   * Returns kept messages if the database still has them. Entries are only removed from the first one on, by
   * retention, or all at once with their session.
   */
  async #verified(
    session_id: string,
    kept: KeptMessages | undefined,
  ): Promise<KeptMessages | undefined> {
    const first = kept?.places[0];
    if (kept === undefined || first === undefined) return undefined;
    const [found] = await entryAt(this.#unit, { session_id, seq: first });
    return found === undefined ? undefined : kept;
  }

  async count(sessionId: string): Promise<number> {
    const { entries } = await this.#unit
      .query()
      .selectFrom("transcript")
      .select((column) => column.fn.countAll<number>().as("entries"))
      .where("session_id", "=", encodeText(sessionId))
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

const messagesAfter = preparedQuery<
  { session_id: string; seq: number },
  Pick<Selectable<TranscriptColumns>, "seq" | "message">
>((query, parameter) =>
  query
    .selectFrom("transcript")
    .select(["seq", "message"])
    // Not "=", because SQLite would then plan the query again for each run.
    .where("session_id", "in", [parameter("session_id")])
    .where("seq", ">", parameter("seq"))
    .orderBy("seq"),
);

const entryAt = preparedQuery<
  { session_id: string; seq: number },
  Pick<Selectable<TranscriptColumns>, "seq">
>((query, parameter) =>
  query
    .selectFrom("transcript")
    .select("seq")
    .where("session_id", "in", [parameter("session_id")])
    .where("seq", "in", [parameter("seq")]),
);

const markUsed = preparedQuery<Pick<SessionColumns, "session_key" | "updated_at">, unknown>(
  (query, parameter) =>
    query
      .updateTable("sessions")
      .set({ updated_at: parameter("updated_at") })
      .where("session_key", "=", parameter("session_key")),
);

const insertEntry = preparedQuery<TranscriptColumns, unknown>((query, parameter) =>
  query.insertInto("transcript").values({
    session_id: parameter("session_id"),
    seq: parameter("seq"),
    entry_id: parameter("entry_id"),
    run_id: parameter("run_id"),
    message: parameter("message"),
    created_at: parameter("created_at"),
  }),
);

function toEntry(
  sessionId: string,
  row: Omit<Selectable<TranscriptColumns>, "session_id">,
): TranscriptEntry {
  const entryId = row.entry_id;
  const message = readJson(row.message, isAgentMessage, "transcript.message", entryId);
  const runId = decodeOptionalText(row.run_id);
  return { entryId, sessionId, runId, seq: row.seq, message, createdAt: row.created_at };
}

function freezeInDepth(value: object): void {
  Object.freeze(value);
  for (const part of Object.values(value)) {
    if (typeof part === "object" && part !== null) freezeInDepth(part);
  }
}

/**
 * Returns true for a message of a transcript.
 * @param value - parsed JSON
 */
export function isAgentMessage(value: unknown): value is AgentMessage {
  return isJsonObject(value) && ROLES.includes(value.role) && Array.isArray(value.content);
}
