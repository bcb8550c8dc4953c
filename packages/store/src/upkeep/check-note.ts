import type { UnitOfWork } from "../database/unit-of-work.js";

const NAME = "checked";

/**
 * Records the time at which the database was last found to be writable.
 * @param unit - the database
 * @throws StoreUnavailableError when it is not writable
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
