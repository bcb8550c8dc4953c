import type { Migration } from "../../migrations/migration.js";

/** Open budget request of a job (JOB-391). */
export const jobQuestions: Migration = {
  name: "0033-job-questions",
  statements: ({ text }) => [`alter table jobs add column budget_request ${text}`],
};
