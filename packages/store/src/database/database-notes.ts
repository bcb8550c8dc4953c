import { readJson, writeJson } from "./json-column.js";
import type { UnitOfWork } from "./unit-of-work.js";

/**
 * Reads a note of a database about itself, such as the copy that filled it; undefined when there is none.
 * @param name - name of the note
 * @param isNote - returns true for a value of its form
 * @throws RowDataError when the note has another form
 */
export async function readNote<Note>(
  unit: UnitOfWork,
  name: string,
  isNote: (value: unknown) => value is Note,
): Promise<Note | undefined> {
  const row = await unit
    .query()
    .selectFrom("database_notes")
    .select("note")
    .where("name", "=", name)
    .executeTakeFirst();
  return row === undefined ? undefined : readJson(row.note, isNote, "database_notes.note", name);
}

/**
 * Stores a note instead of the earlier one.
 * @param name - name of the note
 * @param value - its content, which JSON can represent
 */
export async function writeNote(unit: UnitOfWork, name: string, value: unknown): Promise<void> {
  const note = writeJson(value, "database_notes.note", name);
  await unit
    .query()
    .insertInto("database_notes")
    .values({ name, note })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ note }))
    .execute();
}
