import type { Migration } from "../../migrations/migration.js";

/** Further prompts that a job has not read yet (JOB-393). */
export const jobPrompts: Migration = {
  name: "0034-job-prompts",
  statements: ({ text }) => [`alter table jobs add column prompts ${text}`],
};
