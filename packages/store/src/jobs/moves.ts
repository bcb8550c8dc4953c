import { defined } from "@openclaw/foundation";
import type { Updateable } from "kysely";
import type { ErrorRecord } from "../database/error-record.js";
import { readWord, writeJson } from "../database/json-column.js";
import { decodeOptionalText, encodeOptionalText, encodeText } from "../database/text-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { QueueTable } from "../queues/queues.js";
import { JobTransitionError } from "./errors.js";
import { type Job, type JobMove, toJob } from "./job.js";
import { isLegalMove, JOB_STATES, type JobState } from "./job-state.js";
import { JobReader, jobNotFound } from "./queries.js";
import { suppressRuns } from "./runs.js";
import type { JobColumns } from "./schema.js";

/** Queue with an item for each job whose work is not finished. */
export const JOB_QUEUE = "job";

/** Number of moves that are kept of one job. */
const KEPT_MOVES = 200;

/** Details of a move. */
export interface MoveDetails {
  /** State in which the job has to be; any state from which the move is legal when absent. */
  readonly from?: JobState | undefined;
  readonly reason?: string | undefined;
  readonly result?: string | undefined;
  readonly failure?: ErrorRecord | undefined;
}

/**
 * Moves a job by compare-and-set, and keeps the move (JOB-003, JOB-005).
 * @param within - the database or transaction
 * @param to - next state
 * @param details - expected state, reason, and what the move stores
 * @throws RowNotFoundError when the job does not exist
 * @throws JobTransitionError when the move is illegal, or its state is not `from`; nothing is changed
 */
export async function moveJob(
  within: UnitOfWork,
  jobId: string,
  to: JobState,
  { from: expected, reason, result, failure }: MoveDetails = {},
): Promise<Job> {
  return await within.atomic(async (unit) => {
    for (;;) {
      const job = await new JobReader(unit).get(jobId);
      if (job === undefined) throw jobNotFound(jobId, "move");
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
          repair_attempts: eb(
            "repair_attempts",
            "+",
            from === "stuck" && to === "in_progress" ? 1 : 0,
          ),
          ...momentsOf(job, to, now),
          ...defined({
            result: result === undefined ? undefined : encodeText(result),
            failure: failure && writeJson(failure, "jobs.failure", jobId),
          }),
        }))
        .where("job_id", "=", encodeText(jobId))
        .where("state", "=", from)
        .returningAll()
        .executeTakeFirst();
      // Another move came first: this one is checked again from the new state.
      if (moved === undefined) continue;
      const { last_move: number } = moved;
      await keepMove(unit, jobId, { number, from, to, reason, at: now });
      const items = new QueueTable(unit);
      if (to === "stuck") await items.hold(JOB_QUEUE, jobId);
      else if (isOver(to)) await items.remove(JOB_QUEUE, jobId);
      if (to === "cancelled") await suppressRuns(unit, jobId, "the job was cancelled");
      return toJob(moved);
    }
  });
}

/**
 * Returns the newest moves of a job, oldest first.
 * @param unit - the database or transaction
 */
export async function movesOf(unit: UnitOfWork, jobId: string): Promise<readonly JobMove[]> {
  const rows = await unit
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

/** Returns true for a state in which no work is left. */
function isOver(to: JobState): boolean {
  return to !== "pending" && to !== "in_progress" && to !== "stuck";
}

/** Returns the columns that a move sets: the times (JOB-004), and the end of a wait for an approval or a budget request. */
function momentsOf({ startedAt }: Job, to: JobState, now: number): Updateable<JobColumns> {
  if (to === "in_progress") return { started_at: startedAt ?? now };
  const ends = to === "completed" || to === "failed" || to === "cancelled";
  return { awaits_approval: 0, budget_request: null, ...(ends ? { completed_at: now } : {}) };
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
