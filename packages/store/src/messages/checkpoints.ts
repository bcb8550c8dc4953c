import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { type EntryRow, toEntry } from "./transcript.js";
import type { TranscriptEntry } from "./transcript-entry.js";

/** Maximum number of checkpoints of a conversation (SUB-030). */
const MAXIMUM_CHECKPOINTS = 20;

/** State of a conversation before one of its turns. */
export interface Checkpoint {
  /** ID of the turn, a UUID. */
  readonly checkpointId: string;
  /** First transcript entry of the turn. */
  readonly seq: number;
  /** Start of the turn, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Checkpoints of a conversation. */
export interface CheckpointStacks {
  /** Checkpoints that an undo restores, the next one first. */
  readonly undo: readonly Checkpoint[];
  /** Number of turns that a redo brings back. */
  readonly redo: number;
}

/** Turn that was taken back or brought back. */
export interface MovedTurns {
  /** The checkpoint that was restored, or of the turn that was brought back. */
  readonly checkpoint: Checkpoint;
  /** Entries that were taken back or brought back, oldest first. */
  readonly entries: readonly TranscriptEntry[];
}

/**
 * Checkpoints: the states of conversations before each of their turns. They follow from the transcript, so they are
 * exact whenever a process ends. Entries that are taken back stay stored, and are not part of the conversation.
 */
export interface Checkpoints {
  /**
   * Returns the checkpoints of a conversation.
   * @param sessionId - incarnation of the session
   */
  list(sessionId: string): Promise<CheckpointStacks>;
  /**
   * Takes back the last turn, with all that follows it (SUB-031).
   * @param sessionId - incarnation of the session
   * @returns undefined when there is no checkpoint
   */
  undo(sessionId: string): Promise<MovedTurns | undefined>;
  /**
   * Brings back the turn that the last undo took back, unless a turn has started since (SUB-032).
   * @param sessionId - incarnation of the session
   * @returns undefined when there is none
   */
  redo(sessionId: string): Promise<MovedTurns | undefined>;
  /**
   * Restores a checkpoint; what follows it cannot be brought back (SUB-033).
   * @param sessionId - incarnation of the session
   * @param checkpointId - checkpoint that an undo could reach
   * @returns undefined, and changes nothing, when there is no such checkpoint
   */
  restore(sessionId: string, checkpointId: string): Promise<MovedTurns | undefined>;
  /**
   * Empties a conversation with its checkpoints (SUB-034).
   * @param sessionId - incarnation of the session
   * @returns the entries that it had
   */
  clear(sessionId: string): Promise<readonly TranscriptEntry[]>;
}

/** The checkpoints of a database or transaction. */
export class CheckpointTable implements Checkpoints {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async list(sessionId: string): Promise<CheckpointStacks> {
    const conversation = new Conversation(sessionId, this.#unit);
    const undone = await conversation.undone();
    return { undo: await conversation.checkpoints(), redo: undone.length };
  }

  undo(sessionId: string): Promise<MovedTurns | undefined> {
    return this.#change(sessionId, async (conversation) => {
      const checkpoints = await conversation.checkpoints();
      const [checkpoint] = checkpoints;
      if (checkpoint === undefined) return undefined;
      const undone = await conversation.undone();
      if (undone.length === 0) await conversation.dropUndone();
      await conversation.dropEarlier(checkpoints);
      return { checkpoint, entries: await conversation.hide(checkpoint.seq) };
    });
  }

  redo(sessionId: string): Promise<MovedTurns | undefined> {
    return this.#change(sessionId, async (conversation) => {
      const [last] = await conversation.undone();
      if (last === undefined) return undefined;
      const entries = await conversation.show(last);
      const [checkpoint] = await conversation.checkpoints();
      return checkpoint && { checkpoint, entries };
    });
  }

  restore(sessionId: string, checkpointId: string): Promise<MovedTurns | undefined> {
    return this.#change(sessionId, async (conversation) => {
      const checkpoints = await conversation.checkpoints();
      const checkpoint = checkpoints.find((each) => each.checkpointId === checkpointId);
      if (checkpoint === undefined) return undefined;
      await conversation.dropEarlier(checkpoints);
      const entries = await conversation.hide(checkpoint.seq);
      await conversation.dropUndone();
      return { checkpoint, entries };
    });
  }

  clear(sessionId: string): Promise<readonly TranscriptEntry[]> {
    return this.#change(sessionId, async (conversation) => {
      const entries = await conversation.hide(0);
      await conversation.dropUndone();
      return entries;
    });
  }

  /** Changes a conversation while no other process does. */
  #change<Result>(
    sessionId: string,
    change: (conversation: Conversation) => Promise<Result>,
  ): Promise<Result> {
    return this.#unit.atomic(async (unit) => {
      const conversation = new Conversation(sessionId, unit);
      await conversation.lock();
      return await change(conversation);
    });
  }
}

/** A conversation in a transaction. */
class Conversation {
  readonly #sessionId: string;
  readonly #id: string;
  readonly #unit: UnitOfWork;

  constructor(sessionId: string, unit: UnitOfWork) {
    this.#sessionId = sessionId;
    this.#id = encodeText(sessionId);
    this.#unit = unit;
  }

  /** Takes the lock that every append takes, too. */
  async lock(): Promise<void> {
    await this.#unit
      .query()
      .updateTable("session_incarnations")
      .set(({ ref }) => ({ undo_floor: ref("undo_floor") }))
      .where("session_id", "=", this.#id)
      .execute();
  }

  /** Begins a query of the entries, with the floors of their incarnation. */
  #withFloors() {
    return this.#unit
      .query()
      .selectFrom("transcript")
      .innerJoin(
        "session_incarnations as incarnation",
        "incarnation.session_id",
        "transcript.session_id",
      )
      .where("transcript.session_id", "=", this.#id);
  }

  /** Returns the checkpoints that an undo can restore, newest first. */
  async checkpoints(): Promise<readonly Checkpoint[]> {
    const rows = await this.#withFloors()
      .select(["transcript.run_id"])
      .select(({ fn }) => [
        fn.min<number>("transcript.seq").as("seq"),
        fn.min<number>("transcript.created_at").as("created_at"),
      ])
      .where("transcript.hidden_by", "is", null)
      .whereRef("transcript.seq", ">", "incarnation.undo_floor")
      .where("transcript.run_id", "is not", null)
      .groupBy("transcript.run_id")
      .orderBy("seq", "desc")
      .limit(MAXIMUM_CHECKPOINTS)
      .execute();
    return rows.map(({ run_id, seq, created_at }) => ({
      checkpointId: decodeText(run_id ?? ""),
      seq: Number(seq),
      createdAt: Number(created_at),
    }));
  }

  /** Returns the numbers of the undos that can be taken back, the last one first. */
  async undone(): Promise<readonly number[]> {
    const rows = await this.#withFloors()
      .select("transcript.hidden_by")
      .whereRef("transcript.hidden_by", ">", "incarnation.redo_floor")
      // An entry that was written after an undo belongs to a turn that began since.
      .where(({ eb, selectFrom }) =>
        eb(
          "transcript.seq",
          ">",
          selectFrom("transcript as visible")
            .select(({ fn }) => fn.coalesce(fn.max("visible.seq"), eb.lit(0)).as("last"))
            .where("visible.session_id", "=", this.#id)
            .where("visible.hidden_by", "is", null),
        ),
      )
      .groupBy("transcript.hidden_by")
      .orderBy("transcript.hidden_by", "desc")
      .execute();
    return rows.map(({ hidden_by }) => Number(hidden_by));
  }

  /** Keeps what was taken back from being brought back. */
  async dropUndone(): Promise<void> {
    await this.#unit
      .query()
      .updateTable("session_incarnations")
      .set({ redo_floor: await this.#lastNumber() })
      .where("session_id", "=", this.#id)
      .execute();
  }

  async #lastNumber(): Promise<number> {
    const { last } = await this.#unit
      .query()
      .selectFrom("transcript")
      .select(({ fn, eb }) => fn.coalesce(fn.max("hidden_by"), eb.lit(0)).as("last"))
      .where("session_id", "=", this.#id)
      .executeTakeFirstOrThrow();
    return Number(last);
  }

  /** Drops the checkpoints before the given ones, which no later undo brings back. */
  async dropEarlier(checkpoints: readonly Checkpoint[]): Promise<void> {
    const oldest = checkpoints.at(-1);
    if (checkpoints.length < MAXIMUM_CHECKPOINTS || oldest === undefined) return;
    await this.#unit
      .query()
      .updateTable("session_incarnations")
      .set({ undo_floor: oldest.seq - 1 })
      .where("session_id", "=", this.#id)
      .execute();
  }

  /** Takes back the visible entries from a place on. */
  async hide(seq: number): Promise<readonly TranscriptEntry[]> {
    const number = (await this.#lastNumber()) + 1;
    const rows = await this.#unit
      .query()
      .updateTable("transcript")
      .set({ hidden_by: number })
      .where("session_id", "=", this.#id)
      .where("seq", ">=", seq)
      .where("hidden_by", "is", null)
      .returning(["entry_id", "seq", "run_id", "message", "created_at"])
      .execute();
    return this.#entries(rows);
  }

  /** Makes the entries of one undo visible. */
  async show(number: number): Promise<readonly TranscriptEntry[]> {
    const rows = await this.#unit
      .query()
      .updateTable("transcript")
      .set({ hidden_by: null })
      .where("session_id", "=", this.#id)
      .where("hidden_by", "=", number)
      .returning(["entry_id", "seq", "run_id", "message", "created_at"])
      .execute();
    return this.#entries(rows);
  }

  #entries(rows: readonly EntryRow[]): readonly TranscriptEntry[] {
    return rows
      .map((row) => toEntry(this.#sessionId, row))
      .sort((left, right) => left.seq - right.seq);
  }
}
