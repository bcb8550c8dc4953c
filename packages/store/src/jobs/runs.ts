import type { Selectable } from "kysely";
import { readOptionalJson, writeJson } from "../database/json-column.js";
import {
  decodeOptionalText,
  decodeText,
  encodeOptionalText,
  encodeText,
} from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { isDelivery, type JobDelivery, type JobRun } from "./job.js";
import type { JobRunColumns } from "./schema.js";

/** The turns that worked on jobs; how each of them ended is kept for good. */
export interface JobRuns {
  /**
   * Stores that a turn works on a job from now on; call it in the transaction that queues the turn. The runs before it
   * deliver nothing.
   * @param run - the job, the turn, and the fencing number of the lease
   */
  start(run: Pick<JobRun, "jobId" | "runId" | "token">): Promise<void>;
  /** Stores the reply of a turn; call it in the transaction that ends the turn. */
  keepAnswer(runId: string, text: string): Promise<void>;
  /** Returns the run of a turn. */
  get(runId: string): Promise<JobRun | undefined>;
  /** Returns the runs of a job, oldest first. */
  of(jobId: string): Promise<readonly JobRun[]>;
  /**
   * Stores how a run ended, once.
   * @returns false when its end is stored already, or the run does not exist
   */
  end(runId: string, end: Pick<JobRun, "outcome" | "reason">): Promise<boolean>;
}

/** The runs of a database or transaction. */
export class JobRunTable implements JobRuns {
  readonly #unit: UnitOfWork;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async start({ jobId, runId, token }: Pick<JobRun, "jobId" | "runId" | "token">): Promise<void> {
    await this.#unit.atomic(async (unit) => {
      const now = await unit.clock();
      const job_id = encodeText(jobId);
      const run_id = encodeText(runId);
      await suppressRuns(unit, jobId, "the work continued in another run");
      await unit
        .query()
        .insertInto("job_runs")
        .values({ run_id, job_id, token, started_at: now })
        .execute();
      await unit
        .query()
        .updateTable("jobs")
        .set({ run_id, spent_ms: 0, awaits_approval: 0 })
        .where("job_id", "=", job_id)
        .execute();
    });
  }

  async keepAnswer(runId: string, text: string): Promise<void> {
    await this.#unit
      .query()
      .updateTable("job_runs")
      .set({ answer: encodeText(text) })
      .where("run_id", "=", encodeText(runId))
      .execute();
  }

  async get(runId: string): Promise<JobRun | undefined> {
    const row = await this.#all().where("run_id", "=", encodeText(runId)).executeTakeFirst();
    return row && toRun(row);
  }

  async of(jobId: string): Promise<readonly JobRun[]> {
    const rows = await this.#all()
      .where("job_id", "=", encodeText(jobId))
      .orderBy("started_at")
      .orderBy("token")
      .execute();
    return rows.map(toRun);
  }

  async end(
    runId: string,
    { outcome, reason }: Pick<JobRun, "outcome" | "reason">,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#unit
      .query()
      .updateTable("job_runs")
      .set({
        outcome: encodeOptionalText(outcome),
        reason: encodeOptionalText(reason),
        ended_at: await this.#unit.clock(),
      })
      .where("run_id", "=", encodeText(runId))
      .where("ended_at", "is", null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  #all() {
    return this.#unit.query().selectFrom("job_runs").selectAll();
  }
}

/**
 * Stores that runs of a job deliver nothing, unless their delivery is stored already.
 * @param unit - the database or transaction
 * @param reason - why
 */
export async function suppressRuns(unit: UnitOfWork, jobId: string, reason: string): Promise<void> {
  const delivery: JobDelivery = { state: "suppressed", reason, at: await unit.clock() };
  await unit
    .query()
    .updateTable("job_runs")
    .set({ delivery: writeJson(delivery, "job_runs.delivery", jobId) })
    .where("job_id", "=", encodeText(jobId))
    .where("delivery", "is", null)
    .execute();
}

function toRun(row: Selectable<JobRunColumns>): JobRun {
  const runId = decodeText(row.run_id);
  return {
    runId,
    jobId: decodeText(row.job_id),
    token: row.token,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    answer: decodeOptionalText(row.answer),
    outcome: decodeOptionalText(row.outcome),
    reason: decodeOptionalText(row.reason),
    delivery: readOptionalJson(row.delivery, isDelivery, "job_runs.delivery", runId),
  };
}
