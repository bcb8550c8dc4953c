import type { Job, JobDelivery, JobMove, JobStep } from "@openclaw/store";
import { readCreator } from "./creator.js";
import { progressText } from "./plan.js";

const SHORT = 8;
const MICRO = 1_000_000;
const MARKS = { pending: "[ ]", active: "[>]", done: "[x]" } as const;

/**
 * Returns the beginning of the ID of a job, by which people name it.
 * @param job - the job
 */
export function shortId({ jobId }: Pick<Job, "jobId">): string {
  return jobId.slice(0, SHORT);
}

/**
 * Returns the state of a job in words.
 * @param job - the job
 */
function stateText(job: Job): string {
  const { state, awaitsApproval, failure, delivery } = job;
  if (state === "in_progress") {
    if (job.budgetRequest !== undefined) return `waits for an answer: ${job.budgetRequest.text}`;
    return `${awaitsApproval ? "waits for an approval" : "running"}${progressText(job)}`;
  }
  if (state === "failed") return `failed: ${failure?.message ?? "without a reason"}`;
  const isKept = state === "completed" && delivery !== undefined;
  return isKept ? `completed, ${deliveryText(job, delivery)}` : state;
}

/** Returns how the delivery of the result of a job ended. */
function deliveryText(job: Job, { state, reason = "without a reason", at }: JobDelivery): string {
  if (state === "delivered") {
    return `delivered on ${readCreator(job).channel}${at === undefined ? "" : `, ${isoTime(at)}`}`;
  }
  return state === "failed" ? `delivery failed: ${reason}` : `not delivered: ${reason}`;
}

/**
 * Returns the message with which a job asks whether to continue.
 * @param job - job with a budget request
 */
export function budgetRequestText(job: Job): string {
  const { title, budgetRequest, usedTokens, usedCost } = job;
  const id = shortId(job);
  return [
    `Job "${title}" waits: ${budgetRequest?.text ?? "its budget is used up"}`,
    `Used so far: ${usedTokens} tokens, $${(usedCost / MICRO).toFixed(4)}.`,
    `/job continue ${id} gives it as much again, /job continue ${id} 50000 that many more tokens, /job continue ${id} $2 that much more money; /job cancel ${id} ends it.`,
  ].join("\n");
}

/**
 * Returns a list of jobs as text.
 * @param jobs - jobs in the order of the list
 */
export function listText(jobs: readonly Job[]): string {
  if (jobs.length === 0) return "There are no jobs. /job <text> starts one.";
  return jobs.map((job) => `${shortId(job)}  ${job.title}: ${stateText(job)}`).join("\n");
}

/**
 * Returns what is known of a job as text.
 * @param job - the job
 */
export function statusText(job: Job): string {
  const { jobId, title, usedTokens, usedCost, repairAttempts, result, delivery } = job;
  // A completed job has it in its state.
  const isShown = delivery !== undefined && job.state !== "completed";
  const used =
    usedTokens === 0 ? [] : [`Used: ${usedTokens} tokens, $${(usedCost / MICRO).toFixed(4)}`];
  const repairs = repairAttempts === 0 ? [] : [`Repairs: ${repairAttempts}`];
  return [
    `Job "${title}" (${jobId})`,
    `State: ${stateText(job)}`,
    `Created: ${isoTime(job.createdAt)}`,
    ...(job.startedAt === undefined ? [] : [`Started: ${isoTime(job.startedAt)}`]),
    ...(job.completedAt === undefined ? [] : [`Ended: ${isoTime(job.completedAt)}`]),
    ...(isShown ? [`Result: ${deliveryText(job, delivery)}`] : []),
    ...used,
    ...repairs,
    ...(job.plan ?? []).map(stepText),
    ...(result === undefined || result === "" ? [] : ["", result]),
  ].join("\n");
}

function stepText({ text, state }: JobStep): string {
  return `${MARKS[state]} ${text}`;
}

/**
 * Returns the history of a job as text.
 * @param job - the job
 * @param moves - its moves, oldest first
 */
export function logText(job: Job, moves: readonly JobMove[]): string {
  const lines = moves.map(({ at, from, to, reason }) => {
    const why = reason === undefined ? "" : `: ${reason}`;
    return `${isoTime(at)}  ${from} -> ${to}${why}`;
  });
  return [`Job "${job.title}" (${job.jobId})`, `${isoTime(job.createdAt)}  created`, ...lines].join(
    "\n",
  );
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
