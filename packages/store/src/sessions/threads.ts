import { randomUUID } from "node:crypto";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError } from "../errors.js";
import type { Session } from "./session.js";
import { beginIncarnation, SessionTable } from "./sessions.js";

/** Conversation of a session. Times are milliseconds since the epoch. */
export interface Thread {
  /** Its newest incarnation, a UUID. */
  readonly sessionId: string;
  readonly openedAt: number;
  /** Number of entries, without those that were taken back. */
  readonly messageCount: number;
  /** Time of its last entry. */
  readonly lastAt: number;
  /** True for the conversation that the session has now. */
  readonly isCurrent: boolean;
}

/** Conversations of sessions. A session has one of them at a time. */
export interface Threads {
  /**
   * Returns the conversations of a session that have entries, the last used first.
   * @param limit - maximum number
   */
  list(sessionKey: string, limit: number): Promise<readonly Thread[]>;
  /**
   * Finds a conversation of a session.
   * @param sessionId - any incarnation of the conversation
   * @returns its newest incarnation; undefined when the session has no such conversation
   */
  find(sessionKey: string, sessionId: string): Promise<string | undefined>;
  /**
   * Continues a conversation of a session under a new incarnation, which gets its entries, compactions and
   * checkpoints. Call it in the transaction that ends the current incarnation.
   * @param sessionId - from {@link Threads.find}
   * @throws RowNotFoundError when the session does not exist
   */
  continue(sessionKey: string, sessionId: string): Promise<Session>;
}

/** The conversations of a database or transaction. */
export class ThreadTable implements Threads {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;

  /**
   * @param unit - the database or transaction
   * @param newId - creates the ids of new entries
   */
  constructor(unit: UnitOfWork, newId: (now: number) => string) {
    this.#unit = unit;
    this.#newId = newId;
  }

  async list(sessionKey: string, limit: number): Promise<readonly Thread[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("session_incarnations as thread")
      .innerJoin("sessions", "sessions.session_key", "thread.session_key")
      .innerJoin("transcript", "transcript.session_id", "thread.session_id")
      .select(["thread.session_id", "thread.opened_at", "sessions.session_id as current"])
      .select(({ fn }) => [
        fn.countAll<number>().as("entries"),
        fn.max<number>("transcript.created_at").as("last_at"),
      ])
      .where("thread.session_key", "=", encodeText(sessionKey))
      .where("transcript.hidden_by", "is", null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("session_incarnations as next")
              .select("next.session_id")
              .whereRef("next.continues", "=", "thread.session_id"),
          ),
        ),
      )
      .groupBy(["thread.session_id", "thread.opened_at", "sessions.session_id"])
      .orderBy("last_at", "desc")
      .orderBy("thread.opened_at", "desc")
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      sessionId: decodeText(row.session_id),
      openedAt: row.opened_at,
      messageCount: Number(row.entries),
      lastAt: Number(row.last_at),
      isCurrent: row.session_id === row.current,
    }));
  }

  async find(sessionKey: string, sessionId: string): Promise<string | undefined> {
    const rows = await this.#unit
      .query()
      .selectFrom("session_incarnations")
      .select(["session_id", "continues"])
      .where("session_key", "=", encodeText(sessionKey))
      .execute();
    const next = new Map(rows.map((row) => [row.continues, row.session_id]));
    let found = rows.find((row) => row.session_id === encodeText(sessionId))?.session_id;
    while (found !== undefined && next.has(found)) found = next.get(found);
    return found === undefined ? undefined : decodeText(found);
  }

  continue(sessionKey: string, sessionId: string): Promise<Session> {
    return this.#unit.atomic(async (unit) => {
      const session_key = encodeText(sessionKey);
      const from = encodeText(sessionId);
      const session_id = randomUUID();
      await beginIncarnation({ session_id, session_key }, unit);
      const source = await unit
        .query()
        .selectFrom("session_incarnations")
        .select(["message_count", "last_seq", "undo_floor", "redo_floor"])
        .where("session_id", "=", from)
        .executeTakeFirstOrThrow();
      await unit
        .query()
        .updateTable("session_incarnations")
        .set({ ...source, continues: from })
        .where("session_id", "=", session_id)
        .execute();
      await this.#copy(from, session_id, unit);
      await unit
        .query()
        .updateTable("sessions")
        .set({ session_id, updated_at: unit.now() })
        .where("session_key", "=", session_key)
        .execute();
      const session = await new SessionTable(unit).get(sessionKey);
      if (session !== undefined) return session;
      throw new RowNotFoundError(`threads.continue(${sessionKey})`, "the session", "open it first");
    });
  }

  /** Copies entries at their places, because turns refer to those of the old incarnation. */
  async #copy(from: string, session_id: string, unit: UnitOfWork): Promise<void> {
    const entries = await unit
      .query()
      .selectFrom("transcript")
      .selectAll()
      .where("session_id", "=", from)
      .orderBy("seq")
      .execute();
    for (const entry of entries) {
      const entry_id = this.#newId(unit.now());
      await unit
        .query()
        .insertInto("transcript")
        .values({ ...entry, session_id, entry_id })
        .execute();
    }
    const compactions = await unit
      .query()
      .selectFrom("compactions")
      .selectAll()
      .where("session_id", "=", from)
      .execute();
    for (const compaction of compactions) {
      await unit
        .query()
        .insertInto("compactions")
        .values({ ...compaction, session_id })
        .execute();
    }
  }
}
