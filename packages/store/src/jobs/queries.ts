import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { sql } from "kysely";
import { requireLimit } from "../database/row-limit.js";
import type { Schema } from "../database/schema.js";
import { encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { RowNotFoundError } from "../errors.js";
import { type Job, toJob } from "./job.js";
import type { JobState } from "./job-state.js";

/** Selection of jobs for a list. */
export interface JobQuery {
  /** Only jobs of this sender. */
  readonly owner?: string | undefined;
  /** Only jobs in one of these states. */
  readonly states?: readonly JobState[] | undefined;
  readonly limit: number;
}

/** Reading access to jobs. */
export interface JobQueries {
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
  /** Returns the jobs in some states, oldest first. */
  inStates(states: readonly JobState[]): Promise<readonly Job[]>;
  /**
   * Returns the jobs that were begun and have something left to do, oldest first: those whose work is not finished, and the
   * completed and failed ones whose result is not delivered yet. Pending jobs, of which there may be many, are left out.
   */
  unsettled(): Promise<readonly Job[]>;
}

/** Reads the jobs of a database or transaction. */
export class JobReader implements JobQueries {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
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

  async inStates(states: readonly JobState[]): Promise<readonly Job[]> {
    return await this.#many(({ eb }) => eb("state", "in", [...states]));
  }

  async unsettled(): Promise<readonly Job[]> {
    return await this.#many(({ and, eb, or }) =>
      or([
        eb("state", "in", ["in_progress", "stuck"]),
        and([eb("state", "in", ["completed", "failed"]), eb("delivery", "is", null)]),
      ]),
    );
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

/** Returns the error of a call about a job that does not exist. */
export function jobNotFound(jobId: string, call: string): RowNotFoundError {
  return new RowNotFoundError(
    `jobs.${call}(${jobId})`,
    `job ${jobId}`,
    "list the jobs to see their IDs",
  );
}
