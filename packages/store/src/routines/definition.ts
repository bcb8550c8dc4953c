import type { ContextDefinition, Removal, Sweep } from "../database/context-definition.js";
import { routines } from "./migrations/0030-routines.js";
import { routineInputs } from "./migrations/0035-routine-inputs.js";
import { unsettledRuns } from "./migrations/0040-unsettled-runs.js";
import type { RoutineSchema } from "./schema.js";

/** Days that the due times of a routine are kept. */
const RETENTION_DAYS = { routineRun: 90 };

/** Removes old due times; the newest of a routine stays, because the next ones are derived from it. */
const removeOldRuns: Sweep = async (unit, before, limit) => {
  const old = await unit
    .query()
    .selectFrom("routine_runs as run")
    .select(["run.routine_id", "run.planned_at"])
    .where("run.ended_at", "<", before)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("routine_runs as later")
          .select("later.planned_at")
          .whereRef("later.routine_id", "=", "run.routine_id")
          .whereRef("later.planned_at", ">", "run.planned_at")
          .where("later.origin", "=", "schedule"),
      ),
    )
    .orderBy("run.ended_at")
    .limit(limit)
    .execute();
  for (const { routine_id, planned_at } of old) {
    await unit
      .query()
      .deleteFrom("routine_runs")
      .where("routine_id", "=", routine_id)
      .where("planned_at", "=", planned_at)
      .execute();
  }
  return old.length;
};

/** Clears the answers and inputs of a removed session; the due times stay, so that none of them runs again. */
const emptyAnswers: Removal = (session_key, unit) =>
  unit
    .query()
    .updateTable("routine_runs")
    .set({ answer: null, input: null })
    .where("routine_id", "in", (inner) =>
      inner.selectFrom("routines").select("routine_id").where("session_key", "=", session_key),
    )
    .execute();

/** The routines context: routines and their due times. */
export const ROUTINES: ContextDefinition<RoutineSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [routines, routineInputs, unsettledRuns],
  retentionDays: RETENTION_DAYS,
  tables: {
    // A routine outlives the history of its session.
    routines: { key: ["routine_id"], retention: "kept", removal: "kept" },
    routine_runs: {
      key: ["routine_id", "planned_at"],
      dependsOn: ["routines"],
      retention: { subject: "routineRun", sweep: removeOldRuns },
      removal: emptyAnswers,
    },
  },
};
