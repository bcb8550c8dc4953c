import { defined } from "@openclaw/foundation";
import type { JobDetails, JobSummary } from "@openclaw/protocol";
import { isLegalMove, type Job } from "@openclaw/store";
import { readCreator } from "./creator.js";
import { planSummary } from "./plan.js";
import { JOB_BLOCKED } from "./verdict.js";

const MICRO = 1_000_000;

/**
 * Returns a job as lists show it.
 * @param job - the job
 */
export function jobSummary(job: Job): JobSummary {
  const { jobId, title, state, awaitsApproval, agentId, sessionKey, parentId, askedIn } = job;
  const { createdAt, startedAt, completedAt, failure, plan, progress, budgetRequest } = job;
  const { priority, repairAttempts, usedCost, maxCost } = job;
  return {
    ...{ jobId, title, state, mode: job.mode, awaitsApproval, agentId, sessionKey, createdAt },
    ...{ priority, repairAttempts, usedUsd: usedCost / MICRO, maxUsd: maxCost / MICRO },
    ...{ channel: readCreator(job).channel, actions: [...actionsOf(job)] },
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
  const { description, depth, model, result, delivery, runId } = job;
  const { usedTokens, maxTokens, plan, worker } = job;
  return {
    ...jobSummary(job),
    ...{ description, depth, usedTokens, maxTokens },
    ...defined({ model, result, runId, runtime: worker?.runtime }),
    ...(worker?.deniedHosts && { deniedHosts: [...worker.deniedHosts] }),
    ...(plan && { steps: plan.map((step) => ({ ...step })) }),
    ...(delivery === undefined ? {} : { delivery: defined(delivery) }),
  };
}

/** Returns the methods that the state of a job permits. */
function actionsOf({ state, budgetRequest, failure }: Job): JobSummary["actions"] {
  const isAsking = budgetRequest !== undefined;
  const isCreatedAgain =
    (state === "failed" || state === "cancelled") && failure?.code !== JOB_BLOCKED;
  return [
    ...(state === "completed" || isLegalMove(state, "accepted") ? (["accept"] as const) : []),
    ...(isLegalMove(state, "cancelled") ? (["cancel"] as const) : []),
    ...(isAsking ? (["continue"] as const) : []),
    ...(state === "in_progress" && !isAsking ? (["prompt"] as const) : []),
    ...(state === "stuck" || isCreatedAgain ? (["restart"] as const) : []),
  ];
}
