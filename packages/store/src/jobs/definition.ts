import type { ContextDefinition, Removal, Sweep } from "../database/context-definition.js";
import { removeBySession } from "../sessions/session-rows.js";
import { jobs } from "./migrations/0029-jobs.js";
import { jobPlans } from "./migrations/0031-job-plans.js";
import { runDeliveries } from "./migrations/0032-run-deliveries.js";
import { jobQuestions } from "./migrations/0033-job-questions.js";
import { jobPrompts } from "./migrations/0034-job-prompts.js";
import { jobWorkers } from "./migrations/0042-job-workers.js";
import type { JobSchema } from "./schema.js";

/** Days that a job is kept after it was accepted or delivered, failed or was cancelled. */
const RETENTION_DAYS = { job: 90 };

const OVER = ["submitted", "accepted", "failed", "cancelled"];

/** Removes jobs that are over; the database removes their moves and runs with them. */
const removeOldJobs: Sweep = async (unit, before, limit) => {
  const { numDeletedRows } = await unit
    .query()
    .deleteFrom("jobs")
    .where("job_id", "in", (inner) =>
      inner
        .selectFrom("jobs")
        .select("job_id")
        .where("completed_at", "<", before)
        .where("state", "in", OVER)
        .orderBy("completed_at")
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

/** The database removes the rows together with their job. */
const withJob: Removal = async () => undefined;

/** The jobs context: jobs with their moves and runs, and leases. */
export const JOBS: ContextDefinition<JobSchema, keyof typeof RETENTION_DAYS> = {
  migrations: [jobs, jobPlans, runDeliveries, jobQuestions, jobPrompts, jobWorkers],
  retentionDays: RETENTION_DAYS,
  tables: {
    jobs: {
      key: ["job_id"],
      retention: { subject: "job", sweep: removeOldJobs },
      removal: removeBySession("jobs"),
    },
    job_moves: {
      key: ["job_id", "number"],
      dependsOn: ["jobs"],
      retention: "kept",
      removal: withJob,
    },
    job_runs: {
      key: ["run_id"],
      dependsOn: ["jobs"],
      retention: "kept",
      removal: withJob,
    },
    // One small row of each key, whose number must not begin again.
    leases: { key: ["lease_key"], retention: "kept", removal: "kept" },
  },
};
