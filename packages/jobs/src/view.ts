import { defined } from "@openclaw/foundation";
import type { JobDetails, JobSummary } from "@openclaw/protocol";
import type { Job } from "@openclaw/store";
import { readCreator } from "./creator.js";
import { planSummary } from "./plan.js";

const MICRO = 1_000_000;

/**
 * Returns a job as lists show it.
 * @param job - the job
 */
export function jobSummary(job: Job): JobSummary {
  const { jobId, title, state, awaitsApproval, agentId, sessionKey, parentId, askedIn } = job;
  const { createdAt, startedAt, completedAt, failure, plan, progress, budgetRequest } = job;
  return {
    ...{ jobId, title, state, awaitsApproval, agentId, sessionKey, createdAt },
    ...defined({ parentId, askedIn, startedAt, completedAt, progress, reason: failure?.message }),
    ...defined({ question: budgetRequest?.text }),
    ...(plan && { plan: planSummary(plan) }),
  };
}

/**
 * Returns a job with its task and its result.
 * @param job - the job
 */
export function jobDetails(job: Job): JobDetails {
  const { description, priority, depth, model, result, delivery, runId, repairAttempts } = job;
  const { usedTokens, usedCost, maxTokens, maxCost, plan } = job;
  return {
    ...jobSummary(job),
    ...{ description, priority, depth, repairAttempts, usedTokens, maxTokens },
    ...{ usedUsd: usedCost / MICRO, maxUsd: maxCost / MICRO, channel: readCreator(job).channel },
    ...defined({ model, result, runId }),
    ...(plan && { steps: plan.map((step) => ({ ...step })) }),
    ...(delivery === undefined ? {} : { delivery: defined(delivery) }),
  };
}
