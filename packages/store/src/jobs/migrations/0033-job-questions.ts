import type { Migration } from "../../migrations/migration.js";

/** Open question of a job whose budget is used up (JOB-391). */
export const jobQuestions: Migration = {
  name: "0033-job-questions",
  statements: ({ text }) => [`alter table jobs add column question ${text}`],
};
