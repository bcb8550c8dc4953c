import type { Migration } from "../../migrations/migration.js";

/** Execution model of a job, and what its workers left (JOB-038). */
export const jobWorkers: Migration = {
  name: "0042-job-workers",
  statements: ({ text }) => [
    `alter table jobs add column mode ${text}`,
    `alter table jobs add column worker ${text}`,
  ],
};
