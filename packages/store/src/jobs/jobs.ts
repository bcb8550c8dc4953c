import { defined } from "@openclaw/foundation";
import type { JobProgress } from "@openclaw/plugin-sdk/tools";
import { eraseOutcomes } from "../calls/erasure.js";
import { writeJson } from "../database/json-column.js";
import { encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowStateError } from "../errors.js";
import { QueueTable } from "../queues/queues.js";
import { JobBudgetExceededError } from "./errors.js";
import {
  type Job,
  type JobBudgetRequest,
  type JobDelivery,
  type JobMove,
  type JobStep,
  type JobWorker,
  type NewJob,
  toJob,
} from "./job.js";
import type { JobState } from "./job-state.js";
import { JOB_QUEUE, type MoveDetails, moveJob, movesOf } from "./moves.js";
import { type JobQueries, JobReader, jobNotFound } from "./queries.js";
import { type JobRuns, JobRunTable } from "./runs.js";

const MICRO = 1_000_000;

/** Changes of a job that are not moves. */
export interface JobChanges {
  readonly awaitsApproval?: boolean | undefined;
  readonly spentMs?: number | undefined;
  readonly plan?: readonly JobStep[] | undefined;
  readonly progress?: JobProgress | undefined;
  /** Null when all were read. */
  readonly prompts?: readonly string[] | null | undefined;
  /** Null when it was answered. */
  readonly budgetRequest?: JobBudgetRequest | null | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  /** Facts about its last worker. */
  readonly worker?: JobWorker | undefined;
}

/** Jobs: work in the background, with a strict state machine (JOB-001 to JOB-007). */
export interface Jobs extends JobQueries {
  /** The turns that worked on jobs. */
  readonly runs: JobRuns;
  /**
   * Adds a job in the state `pending`.
   * @throws RowStateError when its ID or session is taken
   */
  add(job: NewJob): Promise<Job>;
  /**
   * Moves a job, and keeps the move (JOB-005). Of several concurrent moves from one state, one succeeds.
   * @throws RowNotFoundError when the job does not exist
   * @throws JobTransitionError when the move is illegal, or its state is not `from`; nothing is changed
   */
  move(jobId: string, to: JobState, details?: MoveDetails): Promise<Job>;
  /**
   * Changes what is not part of its state.
   * @throws RowNotFoundError when the job does not exist
   */
  change(jobId: string, changes: JobChanges): Promise<void>;
  /**
   * Stores the delivery of the result of a job, once, also with its current run.
   * @returns the delivery with its time; undefined when one is stored already, or the job does not exist
   */
  deliver(jobId: string, delivery: JobDelivery): Promise<JobDelivery | undefined>;
  /**
   * Adds what model calls used.
   * @returns the error that fails the job when its budget is exceeded; the use is recorded all the same (JOB-007)
   * @throws RowNotFoundError when the job does not exist
   */
  use(
    jobId: string,
    used: { readonly tokens: number; readonly cost: number },
  ): Promise<JobBudgetExceededError | undefined>;
  /**
   * Deletes the title and the task of a job whose text must not be kept.
   * @param title - title that replaces it
   * @throws RowNotFoundError when the job does not exist
   */
  eraseText(jobId: string, title: string): Promise<void>;
  /** Returns the newest moves of a job, oldest first. */
  moves(jobId: string): Promise<readonly JobMove[]>;
}

/** The jobs of a database or transaction. */
export class JobTable extends JobReader implements Jobs {
  readonly #unit: UnitOfWork;
  readonly runs: JobRuns;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    super(unit);
    this.#unit = unit;
    this.runs = new JobRunTable(unit);
  }

  async add(job: NewJob): Promise<Job> {
    const { jobId } = job;
    return await this.#unit.atomic(async (unit) => {
      const added = await unit
        .query()
        .insertInto("jobs")
        .values({
          job_id: encodeText(jobId),
          title: encodeText(job.title),
          description: encodeText(job.description),
          agent_id: encodeText(job.agentId),
          session_key: encodeText(job.sessionKey),
          state: "pending",
          priority: job.priority,
          parent_id: encodeOptionalText(job.parentId),
          depth: job.depth,
          creator: writeJson(job.creator, "jobs.creator", jobId),
          owner: encodeText(job.owner),
          asked_in: encodeOptionalText(job.askedIn),
          model: encodeOptionalText(job.model),
          mode: job.mode === "worker" ? undefined : job.mode,
          max_tokens: job.maxTokens,
          used_tokens: 0,
          max_cost: job.maxCost,
          used_cost: 0,
          max_iterations: job.maxIterations,
          timeout_ms: job.timeoutMs,
          repair_attempts: 0,
          last_move: 0,
          awaits_approval: 0,
          spent_ms: 0,
          created_at: await unit.clock(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (added === undefined) {
        const call = `jobs.add(${jobId})`;
        throw new RowStateError(call, "present", "absent", "give each job its own ID and session");
      }
      // In the same transaction, so that no unfinished job is without its item (SCALE-015).
      const options = { key: jobId, priority: job.priority };
      await new QueueTable(unit).enqueue(JOB_QUEUE, { jobId }, options);
      return toJob(added);
    });
  }

  async move(jobId: string, to: JobState, details?: MoveDetails): Promise<Job> {
    return await moveJob(this.#unit, jobId, to, details);
  }

  async moves(jobId: string): Promise<readonly JobMove[]> {
    return await movesOf(this.#unit, jobId);
  }

  async change(
    jobId: string,
    {
      awaitsApproval,
      spentMs,
      plan,
      progress,
      prompts,
      budgetRequest,
      maxTokens,
      maxCost,
      worker,
    }: JobChanges,
  ): Promise<void> {
    const columns = defined({
      awaits_approval: awaitsApproval === undefined ? undefined : Number(awaitsApproval),
      spent_ms: spentMs,
      plan: plan && writeJson(plan, "jobs.plan", jobId),
      progress: progress && writeJson(progress, "jobs.progress", jobId),
      prompts: prompts && writeJson(prompts, "jobs.prompts", jobId),
      budget_request:
        budgetRequest && writeJson(defined(budgetRequest), "jobs.budget_request", jobId),
      max_tokens: maxTokens,
      max_cost: maxCost,
      worker: worker && writeJson(defined(worker), "jobs.worker", jobId),
    });
    if (Object.keys(columns).length === 0) return;
    const { numUpdatedRows } = await this.#unit
      .query()
      .updateTable("jobs")
      .set(columns)
      .where("job_id", "=", encodeText(jobId))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw jobNotFound(jobId, "change");
  }

  async deliver(jobId: string, delivery: JobDelivery): Promise<JobDelivery | undefined> {
    return await this.#unit.atomic(async (unit) => {
      const kept = { ...defined(delivery), at: await unit.clock() };
      const written = writeJson(kept, "jobs.delivery", jobId);
      const job = await unit
        .query()
        .updateTable("jobs")
        .set({ delivery: written })
        .where("job_id", "=", encodeText(jobId))
        .where("delivery", "is", null)
        .returning("run_id")
        .executeTakeFirst();
      if (job === undefined) return undefined;
      await unit
        .query()
        .updateTable("job_runs")
        .set({ delivery: written })
        .where("run_id", "=", job.run_id)
        .execute();
      return kept;
    });
  }

  async eraseText(jobId: string, title: string): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      unit.erases();
      const job = await unit
        .query()
        .updateTable("jobs")
        .set({
          title: encodeText(title),
          description: "",
          plan: null,
          progress: null,
          prompts: null,
        })
        .where("job_id", "=", encodeText(jobId))
        .returning("session_key")
        .executeTakeFirst();
      if (job === undefined) throw jobNotFound(jobId, "eraseText");
      await eraseOutcomes(job.session_key, unit);
    });
  }

  async use(
    jobId: string,
    { tokens, cost }: { readonly tokens: number; readonly cost: number },
  ): Promise<JobBudgetExceededError | undefined> {
    const used = await this.#unit
      .query()
      .updateTable("jobs")
      .set(({ eb }) => ({
        used_tokens: eb("used_tokens", "+", tokens),
        used_cost: eb("used_cost", "+", cost),
      }))
      .where("job_id", "=", encodeText(jobId))
      .returning(["used_tokens", "max_tokens", "used_cost", "max_cost"])
      .executeTakeFirst();
    if (used === undefined) throw jobNotFound(jobId, "use");
    const { used_tokens, max_tokens, used_cost, max_cost } = used;
    if (max_tokens > 0 && used_tokens > max_tokens) {
      return new JobBudgetExceededError(jobId, "tokens", `${used_tokens}`, `${max_tokens}`);
    }
    if (max_cost > 0 && used_cost > max_cost) {
      return new JobBudgetExceededError(jobId, "cost", dollars(used_cost), dollars(max_cost));
    }
    return undefined;
  }
}

function dollars(micro: number): string {
  return `$${(micro / MICRO).toFixed(4)}`;
}
