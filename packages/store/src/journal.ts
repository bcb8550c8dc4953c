import { sql } from "kysely";
import { RowDataError } from "./errors.js";
import { isJournalStep, type JournalStep } from "./journal-step.js";
import { readJson, writeJson } from "./json-column.js";
import { decodeText, encodeText } from "./text-column.js";
import type { UnitOfWork } from "./unit-of-work.js";

/** The form in which this version writes steps; a later one reads it too (SCALE-024). */
const FORMAT = 1;

/** A step about to be written. */
export interface NewJournalEntry {
  readonly runId: string;
  readonly step: JournalStep;
}

/** A step of a turn that has been taken. */
export interface JournalEntry extends NewJournalEntry {
  /** Place among the steps of its run, from 1. */
  readonly seq: number;
  /** When it was written, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/**
 * The steps of turns, in the order in which they were taken. Nothing in it is ever changed. What other
 * tables store for a run (messages of the transcript, parts of a reply) they journal themselves, in
 * the same transaction; whoever takes a step of another kind appends it before the next one begins.
 */
export interface Journal {
  /**
   * Writes a step to the end of its run.
   * @throws RowDataError when the step is no JSON value
   */
  append(entry: NewJournalEntry): Promise<{ seq: number }>;
  /**
   * The steps of a run, in order.
   * @throws RowDataError when a newer version of the product wrote one
   */
  load(runId: string): Promise<readonly JournalEntry[]>;
}

/** The journal of a database or transaction. */
export class JournalTable implements Journal {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async append({ runId, step }: NewJournalEntry): Promise<{ seq: number }> {
    return { seq: await appendStep(encodeText(runId), step, this.#unit) };
  }

  async load(runId: string): Promise<readonly JournalEntry[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("journal")
      .select(["seq", "format", "step", "created_at"])
      .where("run_id", "=", encodeText(runId))
      .orderBy("seq")
      .execute();
    return rows.map(({ seq, format, step, created_at }) => {
      const id = `${decodeText(runId)}#${seq}`;
      if (format > FORMAT) {
        throw new RowDataError(
          `journal.step of ${id} has format ${format}, and this version reads up to ${FORMAT}; start the newer version again`,
        );
      }
      return {
        runId,
        seq,
        step: readJson(step, isJournalStep, "journal.step", id),
        createdAt: created_at,
      };
    });
  }
}

/**
 * Writes a step in the transaction of the row that it tells of.
 * @param storedRunId - the run as the database spells it
 * @param step - what was done
 * @param unit - the transaction
 * @returns its place among the steps of the run
 */
export async function appendStep(
  storedRunId: string,
  step: JournalStep,
  unit: UnitOfWork,
): Promise<number> {
  const { seq } = await unit
    .query()
    .insertInto("journal")
    .values({
      run_id: storedRunId,
      seq: sql<number>`(select coalesce(max(seq), 0) + 1 from journal where run_id = ${storedRunId})`,
      kind: step.kind,
      format: FORMAT,
      step: writeJson(step, "journal.step", decodeText(storedRunId)),
      created_at: unit.now(),
    })
    .returning("seq")
    .executeTakeFirstOrThrow();
  return seq;
}
