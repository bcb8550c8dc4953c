import type { Migration } from "../../migrations/migration.js";

/** Delivery of the result of each run of a job (JOB-390). */
export const runDeliveries: Migration = {
  name: "0032-run-deliveries",
  statements: ({ text }) => [`alter table job_runs add column delivery ${text}`],
};
