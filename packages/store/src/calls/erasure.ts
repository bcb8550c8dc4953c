import { sql } from "kysely";
import { decodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/**
 * Erases the outcomes of calls that name a session: they can contain its content, such as the title of its job. A repeat of
 * such a call learns that it was executed.
 * @param session_key - key of the session as the database spells it
 * @param unit - a transaction that erases content
 */
export async function eraseOutcomes(session_key: string, unit: UnitOfWork): Promise<void> {
  // As JSON spells it.
  const named = JSON.stringify(decodeText(session_key)).replaceAll(/[\\%_]/g, "\\$&");
  await unit
    .query()
    .updateTable("calls")
    .set({ state: "erased", outcome: null })
    .where(sql<boolean>`outcome like ${`%${named}%`} escape '\\'`)
    .execute();
}
