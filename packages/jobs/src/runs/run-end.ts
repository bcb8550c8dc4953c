import type { ReplyOutcome } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Job, Store } from "@openclaw/store";
import { LeaseLostError } from "@openclaw/store/errors";
import type { JobChanges } from "../changes.js";
import { messageOf } from "../creator.js";
import { useWithAncestors } from "../use.js";
import { useOf, type Verdict, verdictOf } from "../verdict.js";
import type { JobClock } from "../work-clock.js";
import type { RunningJob } from "./running-jobs.js";

/** Number of waits in a row for a model that fails, after which the job fails. */
const MOST_WAITS = 24;

/** Outcome of a run that is stored for each verdict. */
const OUTCOMES = {
  ...{ completed: "completed", failed: "failed", stuck: "stuck", cancelled: "cancelled" },
  ...{ again: "failed", ask: "out of budget", next: "completed" },
} as const;

/** Title of a job whose task was deleted. */
const BLOCKED_TITLE = "blocked task";

/** Dependencies of {@link storeRunEnd}. */
export interface RunEndDependencies {
  readonly store: Store;
  readonly logger: Logger;
  readonly clock: Pick<JobClock, "now">;
  readonly changes: Pick<JobChanges, "isAwaited">;
}

/** A run whose end is stored. */
export interface SettledRun {
  readonly job: Job;
  readonly verdict: Verdict;
}

/**
 * Stores the end of a run, once, and moves its job. A run whose lease was lost stores nothing (JOB-020).
 * @param host - store, log and clock
 * @param running - the job, its lease, and why its turn was ended
 * @param runId - ID of the turn
 * @param outcome - outcome as the turn told it; undefined for one that ended in an earlier process
 * @returns undefined when it is stored already, the turn was only suspended, or the job has left `in_progress`
 */
export async function storeRunEnd(
  { store, logger, clock, changes }: RunEndDependencies,
  { lease, cause, failures }: Pick<RunningJob, "lease" | "cause" | "failures">,
  runId: string,
  outcome: ReplyOutcome | undefined,
): Promise<SettledRun | undefined> {
  const turn = await store.turns.get(runId);
  if (turn !== undefined && turn.endedAt === undefined) return undefined;
  try {
    return await store.transaction(async (unit) => {
      await unit.leases.assertHeld(lease);
      const run = await unit.jobs.runs.get(runId);
      if (run === undefined || run.endedAt !== undefined) return undefined;
      if (turn?.state === "blocked") await eraseText(unit, run.jobId);
      const used = useOf(turn);
      const exceeded = await useWithAncestors(unit, run.jobId, used);
      const job = await unit.jobs.get(run.jobId);
      if (job === undefined) return undefined;
      const mayAsk = canBeAnswered(job) && !changes.isAwaited(job.jobId);
      const judged = verdictOf({ turn, run, job, cause, outcome, exceeded, mayAsk });
      const verdict = failures < MOST_WAITS ? judged : givenUp(judged);
      const isCurrent = job.state === "in_progress" && job.runId === runId;
      const reason = "details" in verdict ? verdict.details.reason : verdict.reason;
      const end = isCurrent ? OUTCOMES[verdict.to] : job.state;
      await unit.jobs.runs.end(runId, { outcome: end, reason });
      if (isCurrent && verdict.to === "ask") {
        const budgetRequest = { text: verdict.reason, askedAt: clock.now() };
        await unit.jobs.change(job.jobId, { budgetRequest });
        return { job: { ...job, budgetRequest }, verdict };
      }
      if (isCurrent && (verdict.to === "again" || verdict.to === "next")) return { job, verdict };
      await unit.leases.release(lease);
      if (!isCurrent || !("details" in verdict)) return undefined;
      return { job: await unit.jobs.move(job.jobId, verdict.to, verdict.details), verdict };
    });
  } catch (error) {
    if (!LeaseLostError.isInstance(error)) throw error;
    logger.warn(error.message, { code: error.code, runId });
    return undefined;
  }
}

/**
 * Returns true when a user can answer a budget request of the job. A job that another job asked for fails instead, and
 * that job gets the reason: no user reads its session.
 */
function canBeAnswered({ askedIn, parentId }: Job): boolean {
  return askedIn !== undefined && parentId === undefined;
}

/** Deletes the task of a job that a gate blocked (TURN-024), the message that asked for it, and the label of its session. */
async function eraseText(unit: Store, jobId: string): Promise<void> {
  const job = await unit.jobs.get(jobId);
  if (job === undefined) return;
  await unit.jobs.eraseText(jobId, BLOCKED_TITLE);
  await unit.sessions.change(job.sessionKey, { label: BLOCKED_TITLE });
  const messageId = messageOf(job);
  if (messageId !== undefined) await unit.messages.inbox.empty(messageId);
}

/** Gives up a job whose model could not be reached for hours. */
function givenUp(verdict: Verdict): Verdict {
  if (verdict.to !== "again") return verdict;
  const { reason } = verdict;
  return {
    to: "failed",
    details: { reason, failure: { code: "MODEL_NOT_AVAILABLE", message: reason } },
  };
}
