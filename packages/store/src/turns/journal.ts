import { sql } from "kysely";
import { currentLease } from "../database/fence.js";
import { writeJson } from "../database/json-column.js";
import { preparedQuery } from "../database/prepared-query.js";
import { decodeText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { JournalTooNewError } from "../errors.js";
import { JOURNAL_FORMAT, upgradeSteps } from "./journal-format.js";
import type { JournalStep } from "./journal-step.js";
import type { JournalColumns } from "./schema.js";
import { readStep, sealPlainSteps, storedStep } from "./stored-steps.js";

/** A step about to be written. */
export interface NewJournalEntry {
  readonly runId: string;
  readonly step: JournalStep;
}

/** A recorded step of a turn. */
export interface JournalEntry extends NewJournalEntry {
  /** Position among the steps of its run, from 1. */
  readonly seq: number;
  /** Time at which it was written, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/**
 * The steps of turns, in order. The journal is append-only. Other repositories journal the rows
 * that they store for a run (transcript messages, reply parts) in the same transaction; the caller
 * appends a step of any other kind before the next one begins.
 */
export interface Journal {
  /**
   * Appends a step to its run.
   * @throws RowDataError when the step is not a JSON value
   */
  append(entry: NewJournalEntry): Promise<{ seq: number }>;
  /**
   * Returns the steps of a run, in order, converted to the format of this version (SCALE-024).
   * @throws JournalTooNewError when a newer version of OpenClaw wrote one
   * @throws JournalSealedError when they are encrypted and the store was opened without a cipher
   */
  load(runId: string): Promise<readonly JournalEntry[]>;
  /** Encrypts the steps that were stored before the store had a cipher; only in a transaction. */
  seal(): Promise<void>;
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
    const rows = await stepsOf(this.#unit, { run_id: encodeText(runId) });
    const newest = Math.max(0, ...rows.map(({ format }) => format));
    if (newest > JOURNAL_FORMAT) throw new JournalTooNewError(runId, newest, JOURNAL_FORMAT);
    const entries = [];
    for (const { seq, format, step, created_at } of rows) {
      const row = { run_id: encodeText(runId), seq, step };
      const read = await readStep(row, this.#unit);
      entries.push({ runId, seq, format, step: read, createdAt: created_at });
    }
    return upgradeSteps(entries);
  }

  async seal(): Promise<void> {
    await sealPlainSteps(this.#unit);
  }
}

/**
 * Appends a step in the transaction of the row that it describes.
 * @param storedRunId - the run id as stored in the database
 * @returns its position among the steps of the run
 */
export async function appendStep(
  storedRunId: string,
  step: JournalStep,
  unit: UnitOfWork,
): Promise<number> {
  const [appended] = await insertStep(unit, {
    run_id: storedRunId,
    kind: step.kind,
    step: storedStep(writeJson(step, "journal.step", decodeText(storedRunId)), storedRunId, unit),
    created_at: unit.now(),
    node_id: unit.nodeId ?? null,
    fence: currentLease()?.token ?? null,
  });
  if (appended === undefined) throw new Error(`journal: the step of ${storedRunId} has no place`);
  return appended.seq;
}

const stepsOf = preparedQuery<
  { run_id: string },
  Pick<JournalColumns, "seq" | "format" | "step" | "created_at">
>((query, parameter) =>
  query
    .selectFrom("journal")
    .select(["seq", "format", "step", "created_at"])
    .where("run_id", "in", [parameter("run_id")])
    .orderBy("seq"),
);

const insertStep = preparedQuery<Omit<JournalColumns, "seq" | "format">, { seq: number }>(
  (query, parameter) =>
    query
      .insertInto("journal")
      .values({
        run_id: parameter("run_id"),
        seq: sql<number>`(select coalesce(max(seq), 0) + 1 from journal where run_id in (${parameter("run_id")}))`,
        kind: parameter("kind"),
        format: JOURNAL_FORMAT,
        step: parameter("step"),
        created_at: parameter("created_at"),
        node_id: parameter("node_id"),
        fence: parameter("fence"),
      })
      .returning("seq"),
);
