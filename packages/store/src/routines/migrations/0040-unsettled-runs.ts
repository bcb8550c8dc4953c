import type { Migration } from "../../migrations/migration.js";

/** Finds the due times with something left to do among those that were delivered, which are kept for months. */
export const unsettledRuns: Migration = {
  name: "0040-unsettled-runs",
  statements: () => [
    "create index routine_runs_unsettled on routine_runs (state, planned_at) where delivery is null",
    "drop index routine_runs_by_state",
  ],
};
