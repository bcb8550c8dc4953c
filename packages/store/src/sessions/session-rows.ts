import type { Removal } from "../database/context-definition.js";
import type { ContextSchema } from "../database/schema.js";
import type { UnitOfWork } from "../database/unit-of-work.js";

/** Tables whose rows have a column. */
type TableWith<Column extends string> = {
  [Table in keyof ContextSchema]: Column extends keyof ContextSchema[Table] ? Table : never;
}[keyof ContextSchema];

/**
 * Returns the removal of rows that contain the key of their session.
 * @param table - table with the column `session_key`
 */
export function removeBySession(table: TableWith<"session_key">): Removal {
  return (session_key, unit) =>
    unit.query().deleteFrom(table).where("session_key", "=", session_key).execute();
}

/**
 * Returns the removal of rows that contain an incarnation of their session.
 * @param table - table with the column `session_id`
 */
export function removeByIncarnation(table: TableWith<"session_id">): Removal {
  return (session_key, unit) =>
    unit
      .query()
      .deleteFrom(table)
      .where("session_id", "in", incarnationsOf(session_key, unit))
      .execute();
}

/**
 * Returns the removal of rows that contain a run of their session.
 * @param table - table with the column `run_id`; depends on `turns` and `inbox`
 */
export function removeByRun(table: TableWith<"run_id">): Removal {
  return (session_key, unit) =>
    unit.query().deleteFrom(table).where("run_id", "in", runsOf(session_key, unit)).execute();
}

/**
 * Selects the ids of a session's incarnations.
 * @param session_key - key of the session as the database spells it
 */
export function incarnationsOf(session_key: string, unit: UnitOfWork) {
  return unit
    .query()
    .selectFrom("session_incarnations")
    .select("session_id")
    .where("session_key", "=", session_key);
}

/**
 * Selects the runs of a session. A reply to a message that started no turn has the ID of the message instead
 * of the ID of a run.
 */
function runsOf(session_key: string, unit: UnitOfWork) {
  const answered = unit
    .query()
    .selectFrom("inbox")
    .select("id as run_id")
    .where("session_key", "=", session_key)
    .where("forgotten_at", "is", null);
  return unit
    .query()
    .selectFrom("turns")
    .select("run_id")
    .where("session_key", "=", session_key)
    .unionAll(answered);
}
