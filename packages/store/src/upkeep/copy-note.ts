import { isJsonObject, readJson, writeJson } from "../database/json-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

const NAME = "copy";

/** What a database says of the copy that filled it. */
export interface CopyNote {
  /** The database that its rows came from, as messages name it. */
  readonly source: string;
  readonly state: "copying" | "complete";
}

/**
 * What a database says of the copy that filled it, or undefined when none did.
 * @param unit - the database
 */
export async function readCopyNote(unit: UnitOfWork): Promise<CopyNote | undefined> {
  const row = await unit
    .query()
    .selectFrom("database_notes")
    .select("note")
    .where("name", "=", NAME)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : readJson(row.note, isCopyNote, "database_notes.note", NAME);
}

/**
 * Notes how far a copy has come.
 * @param unit - the database that is filled
 * @param note - from where, and whether it is complete
 */
export async function writeCopyNote(unit: UnitOfWork, note: CopyNote): Promise<void> {
  const text = writeJson(note, "database_notes.note", NAME);
  await unit
    .query()
    .insertInto("database_notes")
    .values({ name: NAME, note: text })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ note: text }))
    .execute();
}

function isCopyNote(value: unknown): value is CopyNote {
  if (!isJsonObject(value)) return false;
  return (
    typeof value.source === "string" && (value.state === "copying" || value.state === "complete")
  );
}
