import { writeNote } from "../database/database-notes.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

const NAME = "checked";

/**
 * Records the time at which the database was last found to be writable.
 * @throws StoreUnavailableError when it is not writable
 */
export async function noteCheck(unit: UnitOfWork): Promise<void> {
  await writeNote(unit, NAME, unit.now());
}
