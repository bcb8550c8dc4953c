import type { Migration } from "./migration.js";

/** Lists of runs by their time and last runs of conversations; pins and the archive of sessions, whose values are times. */
export const listedRuns: Migration = {
  name: "0036-listed-runs",
  statements: ({ integer }) => [
    "create index turns_queued on turns (queued_at, run_id)",
    "drop index turns_incarnation",
    "create index turns_incarnation on turns (session_id, queued_at)",
    `alter table sessions add column pinned_at ${integer}`,
    `alter table sessions add column archived_at ${integer}`,
  ],
};
