import type { JobProgress, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Selectable } from "kysely";
import { type ErrorRecord, isErrorRecord } from "../database/error-record.js";
import { isJsonObject, readJson, readOptionalJson, readWord } from "../database/json-column.js";
import { decodeOptionalText, decodeText } from "../database/text-column.js";
import { JOB_STATES, type JobState } from "./job-state.js";
import type { JobColumns } from "./schema.js";

/** Limits of a job; 0 is none. */
export interface JobLimits {
  /** Maximum number of tokens that its model calls may use. */
  readonly maxTokens: number;
  /** Maximum cost in millionths of a US dollar. */
  readonly maxCost: number;
  /** Maximum number of model calls of one run. */
  readonly maxIterations: number;
  /** Maximum working time of one run, without waits, in milliseconds. */
  readonly timeoutMs: number;
}

const JOB_MODES = ["worker", "sandboxed", "claude_code"] as const;

/**
 * Execution model of a job: turns in the process of the host, a worker in a sandbox, or Claude Code in a sandbox
 * (JOB-038).
 */
export type JobMode = (typeof JOB_MODES)[number];

/** Facts about the last worker of a job. */
export interface JobWorker {
  /** Program that separated it from the host, for example `bubblewrap`. */
  readonly runtime: string;
  /** Hosts that it asked for and was denied, newest last. */
  readonly deniedHosts?: readonly string[] | undefined;
  /** Session of an external agent, with which its next run continues. */
  readonly externalSession?: string | undefined;
}

/** A job about to be created. */
export interface NewJob extends JobLimits {
  readonly jobId: string;
  readonly title: string;
  readonly description: string;
  readonly agentId: string;
  /** Session in which its turns run; no other job has it. */
  readonly sessionKey: string;
  /** Jobs with a higher priority start first. */
  readonly priority: number;
  /** Job that asked for it. */
  readonly parentId?: string | undefined;
  /** 0 for a job that a person asked for, 1 for a job of such a job. */
  readonly depth: number;
  /** The conversation and the sender for whom it works; the store does not interpret it. */
  readonly creator: JsonObject;
  /** Sender who may see and change it. */
  readonly owner: string;
  /** Session that gets its result. */
  readonly askedIn?: string | undefined;
  /** `provider/model` of its turns. */
  readonly model?: string | undefined;
  /** Execution model; `worker` when absent. */
  readonly mode?: JobMode | undefined;
}

const DELIVERIES = ["delivered", "suppressed", "failed"] as const;

/** Delivery of the result of a job or of one of its runs. It is kept for good. */
export interface JobDelivery {
  readonly state: (typeof DELIVERIES)[number];
  /** Why it was suppressed or could not be delivered; for a failure the error of the channel. */
  readonly reason?: string | undefined;
  /** Code of the error of the channel. */
  readonly code?: string | undefined;
  /** Time at which it ended, in milliseconds since the epoch; absent for one that an earlier version stored. */
  readonly at?: number | undefined;
}

/** Budget request, which the creator of a job must answer before its work continues (JOB-391). */
export interface JobBudgetRequest {
  /** Why the work stopped. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** True once it reached the conversation that asked, false when it could not; absent before. */
  readonly isDelivered?: boolean | undefined;
}

/** States of a step of a plan. */
const STEP_STATES = ["pending", "active", "done"] as const;

/** One step of the plan of a job (JOB-014). */
export interface JobStep {
  readonly text: string;
  readonly state: (typeof STEP_STATES)[number];
}

/** A stored job. Times are milliseconds since the epoch. */
export interface Job extends NewJob {
  readonly mode: JobMode;
  readonly worker?: JobWorker | undefined;
  readonly state: JobState;
  readonly usedTokens: number;
  /** Millionths of a US dollar. */
  readonly usedCost: number;
  readonly repairAttempts: number;
  /** Turn that works on it now, or worked on it last. */
  readonly runId?: string | undefined;
  /** True while its turn waits for an approval. */
  readonly awaitsApproval: boolean;
  /** Working time of its current run until its last wait. */
  readonly spentMs: number;
  /** Steps of its plan, which its agent keeps up to date. */
  readonly plan?: readonly JobStep[] | undefined;
  /** Progress that a tool reported last. */
  readonly progress?: JobProgress | undefined;
  /** Further prompts that it has not read yet, oldest first. */
  readonly prompts?: readonly string[] | undefined;
  /** Budget request whose answer its work waits for. */
  readonly budgetRequest?: JobBudgetRequest | undefined;
  readonly result?: string | undefined;
  readonly failure?: ErrorRecord | undefined;
  readonly delivery?: JobDelivery | undefined;
  readonly createdAt: number;
  readonly startedAt?: number | undefined;
  readonly completedAt?: number | undefined;
}

/** A move of a job from one state to another. */
export interface JobMove {
  /** Number of the move within its job, from 1. */
  readonly number: number;
  readonly from: JobState;
  readonly to: JobState;
  readonly reason?: string | undefined;
  readonly at: number;
}

/** One run of a job: the turn that worked on it. */
export interface JobRun {
  readonly runId: string;
  readonly jobId: string;
  /** Fencing number of the lease under which it ran. */
  readonly token: number;
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  /** Reply of its turn. */
  readonly answer?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reason?: string | undefined;
  /** Delivery of its result; absent until it is decided. */
  readonly delivery?: JobDelivery | undefined;
}

/** Returns a job from its row. */
export function toJob(row: Selectable<JobColumns>): Job {
  const jobId = decodeText(row.job_id);
  return {
    jobId,
    title: decodeText(row.title),
    description: decodeText(row.description),
    agentId: decodeText(row.agent_id),
    sessionKey: decodeText(row.session_key),
    state: readWord(row.state, JOB_STATES, "jobs.state", jobId),
    priority: row.priority,
    parentId: decodeOptionalText(row.parent_id),
    depth: row.depth,
    creator: readJson(row.creator, isJsonObject, "jobs.creator", jobId),
    owner: decodeText(row.owner),
    askedIn: decodeOptionalText(row.asked_in),
    model: decodeOptionalText(row.model),
    mode: row.mode === null ? "worker" : readWord(row.mode, JOB_MODES, "jobs.mode", jobId),
    worker: readOptionalJson(row.worker, isWorker, "jobs.worker", jobId),
    maxTokens: row.max_tokens,
    usedTokens: row.used_tokens,
    maxCost: row.max_cost,
    usedCost: row.used_cost,
    maxIterations: row.max_iterations,
    timeoutMs: row.timeout_ms,
    repairAttempts: row.repair_attempts,
    runId: decodeOptionalText(row.run_id),
    awaitsApproval: row.awaits_approval === 1,
    spentMs: row.spent_ms,
    plan: readOptionalJson(row.plan, isPlan, "jobs.plan", jobId),
    progress: readOptionalJson(row.progress, isProgress, "jobs.progress", jobId),
    prompts: readOptionalJson(row.prompts, isTexts, "jobs.prompts", jobId),
    budgetRequest: readOptionalJson(
      row.budget_request,
      isBudgetRequest,
      "jobs.budget_request",
      jobId,
    ),
    result: decodeOptionalText(row.result),
    failure: readOptionalJson(row.failure, isErrorRecord, "jobs.failure", jobId),
    delivery: readOptionalJson(row.delivery, isDelivery, "jobs.delivery", jobId),
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    completedAt: row.completed_at ?? undefined,
  };
}

/** Returns true for a stored delivery. */
export function isDelivery(value: unknown): value is JobDelivery {
  if (!isJsonObject(value)) return false;
  const { state, reason, code, at } = value;
  return (
    DELIVERIES.some((known) => known === state) &&
    (reason === undefined || typeof reason === "string") &&
    (code === undefined || typeof code === "string") &&
    (at === undefined || typeof at === "number")
  );
}

function isWorker(value: unknown): value is JobWorker {
  if (!isJsonObject(value)) return false;
  const { runtime, deniedHosts, externalSession } = value;
  return (
    typeof runtime === "string" &&
    (deniedHosts === undefined || isTexts(deniedHosts)) &&
    (externalSession === undefined || typeof externalSession === "string")
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isBudgetRequest(value: unknown): value is JobBudgetRequest {
  if (!isJsonObject(value)) return false;
  const { text, askedAt, isDelivered } = value;
  return (
    typeof text === "string" &&
    typeof askedAt === "number" &&
    (isDelivered === undefined || typeof isDelivered === "boolean")
  );
}

function isPlan(value: unknown): value is readonly JobStep[] {
  return (
    Array.isArray(value) &&
    value.every(
      (step) =>
        isJsonObject(step) &&
        typeof step.text === "string" &&
        STEP_STATES.some((state) => state === step.state),
    )
  );
}

function isProgress(value: unknown): value is JobProgress {
  if (!isJsonObject(value)) return false;
  const { done, total, note } = value;
  return (
    typeof done === "number" &&
    (total === undefined || typeof total === "number") &&
    (note === undefined || typeof note === "string")
  );
}
