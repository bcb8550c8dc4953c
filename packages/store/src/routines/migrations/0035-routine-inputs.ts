import type { Migration } from "../../migrations/migration.js";

/** Input that set off a run without a schedule, and the keys by which a repeat of it is recognised. */
export const routineInputs: Migration = {
  name: "0035-routine-inputs",
  statements: ({ text }) => [
    `alter table routine_runs add column input ${text}`,
    `alter table routine_runs add column identity ${text}`,
    `alter table routine_runs add column proof ${text}`,
    "create unique index routine_runs_identity on routine_runs (routine_id, identity)",
    "create unique index routine_runs_proof on routine_runs (routine_id, proof)",
  ],
};
