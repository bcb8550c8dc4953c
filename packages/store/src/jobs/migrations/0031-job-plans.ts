import type { Migration } from "../../migrations/migration.js";

/** Plan and progress of jobs (JOB-014), and no more columns that nothing read. */
export const jobPlans: Migration = {
  name: "0031-job-plans",
  statements: ({ text }) => [
    `alter table jobs add column plan ${text}`,
    `alter table jobs add column progress ${text}`,
    "alter table jobs drop column clock_since",
    "alter table jobs drop column progress_at",
  ],
};
