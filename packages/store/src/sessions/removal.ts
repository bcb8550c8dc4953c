import { eraseOutcomes } from "../calls/erasure.js";
import { TABLE_NAMES, TABLES } from "../contexts.js";
import { decodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowStateError } from "../errors.js";

/**
 * Removes a session and its rows in every table, and its content from the files of an embedded database.
 * @param session_key - key of the session as the database spells it
 * @throws RowStateError when one of its turns has not ended
 */
export async function removeSession(session_key: string, unit: UnitOfWork): Promise<void> {
  const unfinished = await unit
    .query()
    .selectFrom("turns")
    .select(["run_id", "state"])
    .where("session_key", "=", session_key)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (unfinished !== undefined) {
    throw new RowStateError(
      `sessions.remove(${decodeText(session_key)})`,
      `with a ${unfinished.state} turn (${decodeText(unfinished.run_id)})`,
      "without unfinished turns",
      "wait for its end, or interrupt it first",
    );
  }
  unit.erases();
  await eraseOutcomes(session_key, unit);
  for (const table of TABLE_NAMES.toReversed()) {
    const { removal } = TABLES[table];
    if (removal !== "kept") await removal(session_key, unit);
  }
}
