import type { Messaging } from "@openclaw/messaging";
import type { Job, Lease, Store } from "@openclaw/store";
import { type TurnReason, taskOf } from "../task.js";
import { resultOf } from "../verdict.js";

/** A stored turn of a job. */
export type StoredTurn = Awaited<ReturnType<Messaging["hostTurns"]["store"]>>;

/** Step after the last turn of a job: another turn, or its end. */
export type NextStep =
  | { readonly job: Job; readonly turn: StoredTurn; readonly reason: TurnReason }
  | { readonly job: Job; readonly turn?: undefined };

/**
 * Stores a turn of a job, which becomes its current run.
 * @param lease - lease under which the turn runs
 * @param reason - why it runs
 */
export async function storeTurn(
  unit: Store,
  hostTurns: Pick<Messaging["hostTurns"], "store">,
  job: Job,
  { token }: Pick<Lease, "token">,
  reason: TurnReason,
): Promise<StoredTurn> {
  const { jobId, sessionKey, agentId, title, model } = job;
  const message = taskOf(job, reason);
  const task = { sessionKey, agentId, trigger: "job", message, label: title, model } as const;
  const stored = await hostTurns.store(unit, task);
  await unit.jobs.runs.start({ jobId, runId: stored.turn.runId, token });
  return stored;
}

/**
 * Stores what follows the last turn of a job: a turn for its further prompts, its end when it waited only for its budget,
 * or another attempt.
 * @returns undefined when the job has left the state `in_progress`
 * @throws LeaseLostError when another owner has it
 */
export async function storeNextStep(
  unit: Store,
  hostTurns: Pick<Messaging["hostTurns"], "store">,
  jobId: string,
  lease: Lease,
): Promise<NextStep | undefined> {
  await unit.leases.assertHeld(lease);
  const job = await unit.jobs.get(jobId);
  if (job?.state !== "in_progress") return undefined;
  if (job.prompts !== undefined) {
    const turn = await storeTurn(unit, hostTurns, job, lease, "prompt");
    await unit.jobs.change(jobId, { prompts: null });
    return { job, turn, reason: "prompt" };
  }
  const result = await finishedResult(unit, job);
  if (result !== undefined) {
    await unit.leases.release(lease);
    return { job: await unit.jobs.move(jobId, "completed", { from: "in_progress", result }) };
  }
  const turn = await storeTurn(unit, hostTurns, job, lease, "retry");
  return { job, turn, reason: "retry" };
}

/**
 * Stores the failure of a job that waits for the answer to a budget request.
 * @param failure - why it gets no answer
 * @returns undefined when it does not wait any more
 * @throws LeaseLostError when another owner has it
 */
export async function storeGivenUp(
  unit: Store,
  jobId: string,
  lease: Lease,
  failure: NonNullable<Job["failure"]>,
): Promise<Job | undefined> {
  await unit.leases.assertHeld(lease);
  const job = await unit.jobs.get(jobId);
  if (job?.state !== "in_progress" || job.budgetRequest === undefined) return undefined;
  await unit.leases.release(lease);
  const reason = failure.message;
  return await unit.jobs.move(jobId, "failed", { from: "in_progress", reason, failure });
}

/** Returns the result of the last turn of a job, when that came to its end and the job waited only for its budget. */
async function finishedResult(unit: Store, { runId }: Job): Promise<string | undefined> {
  if (runId === undefined) return undefined;
  return resultOf(await unit.turns.get(runId), await unit.jobs.runs.get(runId));
}
