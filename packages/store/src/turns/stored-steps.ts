import { JOURNAL_KEY_OWNER } from "../database/journal-cipher.js";
import { readJson } from "../database/json-column.js";
import { decodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { JournalSealedError } from "../errors.js";
import { SecretTable } from "../secrets/secrets.js";
import { isJournalStep, type JournalStep } from "./journal-step.js";

/** A step as its row contains it. */
export interface StoredStepRow {
  readonly run_id: string;
  readonly seq: number;
  readonly step: string;
}

/** Rows that are encrypted at a time. */
const BATCH = 500;
/** Beginning of an encrypted step; any other is a JSON object. */
const SEALED = "sealed:";

/**
 * Returns the text of a step as a row contains it: encrypted when the database has a cipher (APPR-011).
 * @param step - JSON of the step
 * @param storedRunId - the run id as stored in the database
 */
export function storedStep(step: string, storedRunId: string, unit: UnitOfWork): string {
  const { journalCipher } = unit;
  if (journalCipher === undefined) return step;
  return SEALED + journalCipher.seal(step, decodeText(storedRunId));
}

/**
 * Reads the step of a row.
 * @param row - row of the journal
 * @param unit - the database or transaction
 * @throws JournalSealedError when it is encrypted and the database has no cipher
 * @throws RowDataError when it is not a step
 */
export async function readStep(row: StoredStepRow, unit: UnitOfWork): Promise<JournalStep> {
  const runId = decodeText(row.run_id);
  const step = await readSealed(row.step, runId, unit);
  return readJson(step, isJournalStep, "journal.step", `${runId}#${row.seq}`);
}

/**
 * Returns the text that {@link storedStep} was given.
 * @param stored - text of the row
 * @param runId - run, or other subject, with which it was stored
 * @param unit - the database or transaction
 * @throws JournalSealedError when it is encrypted and the database has no cipher
 */
export async function readSealed(stored: string, runId: string, unit: UnitOfWork): Promise<string> {
  return stored.startsWith(SEALED)
    ? await opened(stored.slice(SEALED.length), runId, unit)
    : stored;
}

/**
 * Encrypts the steps that earlier versions stored.
 * @param unit - a transaction of a database with a cipher
 */
export async function sealPlainSteps(unit: UnitOfWork): Promise<void> {
  unit.erases();
  for (;;) {
    const rows = await unit
      .query()
      .selectFrom("journal")
      .select(["run_id", "seq", "step"])
      .where("step", "not like", `${SEALED}%`)
      .limit(BATCH)
      .execute();
    for (const { run_id, seq, step } of rows) {
      await unit
        .query()
        .updateTable("journal")
        .set({ step: storedStep(step, run_id, unit) })
        .where("run_id", "=", run_id)
        .where("seq", "=", seq)
        .execute();
    }
    if (rows.length < BATCH) return;
  }
}

async function opened(sealed: string, runId: string, unit: UnitOfWork): Promise<string> {
  const { journalCipher } = unit;
  if (journalCipher === undefined) throw new JournalSealedError(runId);
  const secrets = new SecretTable(unit);
  return await journalCipher.open(sealed, runId, (name) =>
    secrets.find({ owner: JOURNAL_KEY_OWNER, name }),
  );
}
