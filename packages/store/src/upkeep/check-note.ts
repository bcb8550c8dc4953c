import type { UnitOfWork } from "../database/unit-of-work.js";

const NAME = "checked";

/**
 * Writes into a database when it was last found to take writes.
 * @param unit - the database
 * @throws StoreUnavailableError when it takes none
 */
export async function noteCheck(unit: UnitOfWork): Promise<void> {
  const note = String(unit.now());
  await unit
    .query()
    .insertInto("database_notes")
    .values({ name: NAME, note })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ note }))
    .execute();
}
