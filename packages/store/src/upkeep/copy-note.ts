import { readNote, writeNote } from "../database/database-notes.js";
import { isJsonObject } from "../database/json-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

const NAME = "copy";

/** Phase of a part of a copy that is stored outside the database. */
export type CopyPhase = "copying" | "complete";

/** Note in a database about the copy that filled it. */
export interface CopyNote {
  /** The source database, as named in messages. */
  readonly source: string;
  readonly state: "copying" | "complete";
  /** Parts that are stored outside the database, by name. */
  readonly parts?: Readonly<Record<string, CopyPhase>> | undefined;
}

/** Reads the note about the copy that filled a database; undefined when there was none. */
export async function readCopyNote(unit: UnitOfWork): Promise<CopyNote | undefined> {
  return await readNote(unit, NAME, isCopyNote);
}

/**
 * Stores the progress of a copy.
 * @param unit - the target database
 * @param note - the source, and whether the copy is complete
 */
export async function writeCopyNote(unit: UnitOfWork, note: CopyNote): Promise<void> {
  await writeNote(unit, NAME, note);
}

function isCopyNote(value: unknown): value is CopyNote {
  if (!isJsonObject(value)) return false;
  const { source, state, parts } = value;
  if (typeof source !== "string" || !isPhase(state)) return false;
  return parts === undefined || (isJsonObject(parts) && Object.values(parts).every(isPhase));
}

function isPhase(value: unknown): boolean {
  return value === "copying" || value === "complete";
}
