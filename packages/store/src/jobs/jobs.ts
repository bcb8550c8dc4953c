import type { Expression, ExpressionBuilder, SqlBool, Updateable } from "kysely";
import { sql } from "kysely";
import type { ErrorRecord } from "../database/error-record.js";
import { readWord, writeJson } from "../database/json-column.js";
import { requireLimit } from "../database/row-limit.js";
import type { Schema } from "../database/schema.js";
import { decodeOptionalText, encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError, RowStateError } from "../errors.js";
import { JobBudgetExceededError, JobTransitionError } from "./errors.js";
import { type Job, type JobDelivery, type JobMove, type NewJob, toJob } from "./job.js";
import { isLegalMove, JOB_STATES, type JobState } from "./job-state.js";
import { type JobRuns, JobRunTable } from "./runs.js";
import type { JobColumns } from "./schema.js";

/** Number of moves that are kept of one job. */
const KEPT_MOVES = 200;
const MICRO = 1_000_000;

/** Selection of jobs for a list. */
export interface JobQuery {
  /** Only jobs of this sender. */
  readonly owner?: string | undefined;
  /** Only jobs in one of these states. */
  readonly states?: readonly JobState[] | undefined;
  readonly limit: number;
}

/** Details of a move. */
export interface MoveDetails {
  /** State in which the job has to be; any state from which the move is legal when absent. */
  readonly from?: JobState | undefined;
  readonly reason?: string | undefined;
  readonly result?: string | undefined;
  readonly failure?: ErrorRecord | undefined;
}

/** Changes of a job that are not moves. */
export interface JobChanges {
  readonly awaitsApproval?: boolean | undefined;
  readonly spentMs?: number | undefined;
  /** Time since which its clock runs; null stops the clock. */
  readonly clockSince?: number | null | undefined;
  readonly progressAt?: number | undefined;
  readonly delivery?: JobDelivery | undefined;
}

/** Jobs: work in the background, with a strict state machine (JOB-001 to JOB-007). */
export interface Jobs {
  /** The turns that worked on jobs. */
  readonly runs: JobRuns;
  /**
   * Adds a job in the state `pending`.
   * @throws RowStateError when its ID or session is taken
   */
  add(job: NewJob): Promise<Job>;
  get(jobId: string): Promise<Job | undefined>;
  /** Returns the job whose turns run in a session. */
  ofSession(sessionKey: string): Promise<Job | undefined>;
  /**
   * Returns the jobs whose IDs begin with a text, at most two.
   * @param prefix - an ID or its beginning
   */
  startingWith(prefix: string): Promise<readonly Job[]>;
  /**
   * Returns jobs, newest first.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  list(query: JobQuery): Promise<readonly Job[]>;
  /** Returns the jobs that a job asked for, oldest first. */
  childrenOf(jobId: string): Promise<readonly Job[]>;
  /** Returns the number of jobs in each state. */
  counts(owner?: string): Promise<Readonly<Record<JobState, number>>>;
  /** Returns the number of jobs of a sender since a time. */
  createdSince(owner: string, since: number): Promise<number>;
  /** Returns the pending job that starts next: the oldest of the highest priority (JOB-008). */
  nextPending(): Promise<Job | undefined>;
  /** Returns the jobs in some states, oldest first. */
  inStates(states: readonly JobState[]): Promise<readonly Job[]>;
  /** Returns jobs whose result is not delivered yet, oldest first: completed ones, and failed ones. */
  undelivered(): Promise<readonly Job[]>;
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
   * Adds what model calls used.
   * @returns the error that fails the job when its budget is exceeded; the use is recorded all the same (JOB-007)
   * @throws RowNotFoundError when the job does not exist
   */
  use(
    jobId: string,
    used: { readonly tokens: number; readonly cost: number },
  ): Promise<JobBudgetExceededError | undefined>;
  /** Returns the newest moves of a job, oldest first. */
  moves(jobId: string): Promise<readonly JobMove[]>;
}

/** The jobs of a database or transaction. */
export class JobTable implements Jobs {
  readonly #unit: UnitOfWork;
  readonly runs: JobRuns;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
    this.runs = new JobRunTable(unit);
  }

  async add(job: NewJob): Promise<Job> {
    const { jobId } = job;
    const added = await this.#unit
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
        created_at: await this.#unit.clock(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added !== undefined) return toJob(added);
    const call = `jobs.add(${jobId})`;
    throw new RowStateError(call, "present", "absent", "give each job its own ID and session");
  }

  async get(jobId: string): Promise<Job | undefined> {
    return await this.#first(({ eb }) => eb("job_id", "=", encodeText(jobId)));
  }

  async ofSession(sessionKey: string): Promise<Job | undefined> {
    return await this.#first(({ eb }) => eb("session_key", "=", encodeText(sessionKey)));
  }

  async startingWith(prefix: string): Promise<readonly Job[]> {
    const rows = await this.#all()
      .where(sql`substr(job_id, 1, ${prefix.length})`, "=", encodeText(prefix))
      .limit(2)
      .execute();
    return rows.map(toJob);
  }

  async list({ owner, states, limit }: JobQuery): Promise<readonly Job[]> {
    requireLimit("jobs.list", limit);
    const rows = await this.#all()
      .$if(owner !== undefined, (query) => query.where("owner", "=", encodeText(owner ?? "")))
      .$if(states !== undefined, (query) => query.where("state", "in", [...(states ?? [])]))
      .orderBy("created_at", "desc")
      .orderBy("job_id", "desc")
      .limit(limit)
      .execute();
    return rows.map(toJob);
  }

  async childrenOf(jobId: string): Promise<readonly Job[]> {
    return await this.#many(({ eb }) => eb("parent_id", "=", encodeText(jobId)));
  }

  async counts(owner?: string): Promise<Readonly<Record<JobState, number>>> {
    const rows = await this.#unit
      .query()
      .selectFrom("jobs")
      .select(({ fn }) => ["state", fn.countAll<number>().as("jobs")])
      .$if(owner !== undefined, (query) => query.where("owner", "=", encodeText(owner ?? "")))
      .groupBy("state")
      .execute();
    const numbers = new Map(rows.map(({ state, jobs }) => [state, Number(jobs)]));
    const count = (state: JobState) => numbers.get(state) ?? 0;
    return {
      pending: count("pending"),
      in_progress: count("in_progress"),
      completed: count("completed"),
      submitted: count("submitted"),
      accepted: count("accepted"),
      failed: count("failed"),
      stuck: count("stuck"),
      cancelled: count("cancelled"),
    };
  }

  async createdSince(owner: string, since: number): Promise<number> {
    const { jobs } = await this.#unit
      .query()
      .selectFrom("jobs")
      .select(({ fn }) => fn.countAll<number>().as("jobs"))
      .where("owner", "=", encodeText(owner))
      .where("created_at", ">", since)
      .executeTakeFirstOrThrow();
    return Number(jobs);
  }

  async nextPending(): Promise<Job | undefined> {
    const row = await this.#all()
      .where("state", "=", "pending")
      .orderBy("priority", "desc")
      .orderBy("created_at")
      .orderBy("job_id")
      .limit(1)
      .executeTakeFirst();
    return row && toJob(row);
  }

  async inStates(states: readonly JobState[]): Promise<readonly Job[]> {
    return await this.#many(({ eb }) => eb("state", "in", [...states]));
  }

  async undelivered(): Promise<readonly Job[]> {
    return await this.#many(({ and, eb }) =>
      and([eb("state", "in", ["completed", "failed"]), eb("delivery", "is", null)]),
    );
  }

  async move(
    jobId: string,
    to: JobState,
    { from: expected, reason, result, failure }: MoveDetails = {},
  ): Promise<Job> {
    return await this.#unit.atomic(async (unit) => {
      for (;;) {
        const job = await new JobTable(unit).#existing(jobId, "move");
        const { state: from } = job;
        if ((expected ?? from) !== from || !isLegalMove(from, to)) {
          throw new JobTransitionError(jobId, from, to);
        }
        const now = await unit.clock();
        const moved = await unit
          .query()
          .updateTable("jobs")
          .set(({ eb }) => ({
            state: to,
            last_move: eb("last_move", "+", 1),
            ...momentsOf(job, to, now),
            ...(from === "stuck" && to === "in_progress"
              ? { repair_attempts: eb("repair_attempts", "+", 1) }
              : {}),
            ...(result === undefined ? {} : { result: encodeText(result) }),
            ...(failure === undefined
              ? {}
              : { failure: writeJson(failure, "jobs.failure", jobId) }),
          }))
          .where("job_id", "=", encodeText(jobId))
          .where("state", "=", from)
          .returningAll()
          .executeTakeFirst();
        // Another move came between: it is judged anew from the state of now.
        if (moved === undefined) continue;
        const { last_move: number } = moved;
        await keepMove(unit, jobId, { number, from, to, reason, at: now });
        return toJob(moved);
      }
    });
  }

  async change(jobId: string, changes: JobChanges): Promise<void> {
    const { awaitsApproval, spentMs, clockSince, progressAt, delivery } = changes;
    const columns: Updateable<JobColumns> = {
      ...(awaitsApproval === undefined ? {} : { awaits_approval: awaitsApproval ? 1 : 0 }),
      ...(spentMs === undefined ? {} : { spent_ms: spentMs }),
      ...(clockSince === undefined ? {} : { clock_since: clockSince }),
      ...(progressAt === undefined ? {} : { progress_at: progressAt }),
      ...(delivery === undefined ? {} : { delivery: writeJson(delivery, "jobs.delivery", jobId) }),
    };
    if (Object.keys(columns).length === 0) return;
    const { numUpdatedRows } = await this.#unit
      .query()
      .updateTable("jobs")
      .set(columns)
      .where("job_id", "=", encodeText(jobId))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound(jobId, "change");
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
    if (used === undefined) throw notFound(jobId, "use");
    const { used_tokens, max_tokens, used_cost, max_cost } = used;
    if (max_tokens > 0 && used_tokens > max_tokens) {
      return new JobBudgetExceededError(jobId, "tokens", `${used_tokens}`, `${max_tokens}`);
    }
    if (max_cost > 0 && used_cost > max_cost) {
      return new JobBudgetExceededError(jobId, "cost", dollars(used_cost), dollars(max_cost));
    }
    return undefined;
  }

  async moves(jobId: string): Promise<readonly JobMove[]> {
    const rows = await this.#unit
      .query()
      .selectFrom("job_moves")
      .selectAll()
      .where("job_id", "=", encodeText(jobId))
      .orderBy("number")
      .execute();
    return rows.map(({ number, from_state, to_state, reason, at }) => ({
      number,
      from: readWord(from_state, JOB_STATES, "job_moves.from_state", jobId),
      to: readWord(to_state, JOB_STATES, "job_moves.to_state", jobId),
      reason: decodeOptionalText(reason),
      at,
    }));
  }

  async #existing(jobId: string, call: string): Promise<Job> {
    const job = await this.get(jobId);
    if (job === undefined) throw notFound(jobId, call);
    return job;
  }

  #all() {
    return this.#unit.query().selectFrom("jobs").selectAll();
  }

  async #first(where: Where): Promise<Job | undefined> {
    const row = await this.#all().where(where).executeTakeFirst();
    return row && toJob(row);
  }

  async #many(where: Where): Promise<readonly Job[]> {
    const rows = await this.#all().where(where).orderBy("created_at").orderBy("job_id").execute();
    return rows.map(toJob);
  }
}

type Where = (expressions: ExpressionBuilder<Schema, "jobs">) => Expression<SqlBool>;

/** Returns the times that a move sets (JOB-004). */
function momentsOf({ startedAt }: Job, to: JobState, now: number): Updateable<JobColumns> {
  const ends = to === "completed" || to === "failed" || to === "cancelled";
  return {
    ...(to === "in_progress" ? { started_at: startedAt ?? now, progress_at: now } : {}),
    ...(ends ? { completed_at: now } : {}),
    ...(to === "in_progress" ? {} : { clock_since: null, awaits_approval: 0 }),
  };
}

async function keepMove(unit: UnitOfWork, jobId: string, move: JobMove): Promise<void> {
  const { number, from, to, reason, at } = move;
  const job_id = encodeText(jobId);
  await unit
    .query()
    .insertInto("job_moves")
    .values({
      job_id,
      number,
      from_state: from,
      to_state: to,
      reason: encodeOptionalText(reason),
      at,
    })
    .execute();
  if (number <= KEPT_MOVES) return;
  await unit
    .query()
    .deleteFrom("job_moves")
    .where("job_id", "=", job_id)
    .where("number", "<=", number - KEPT_MOVES)
    .execute();
}

function notFound(jobId: string, call: string): RowNotFoundError {
  return new RowNotFoundError(
    `jobs.${call}(${jobId})`,
    `job ${jobId}`,
    "list the jobs to see their IDs",
  );
}

function dollars(micro: number): string {
  return `$${(micro / MICRO).toFixed(4)}`;
}
