import type { ReplyOutcome } from "@openclaw/messaging";
import type { Job, JobRun, JobState, MoveDetails, Turn } from "@openclaw/store";
import { JobBudgetExceededError } from "@openclaw/store/errors";

const MICRO = 1_000_000;

/** Code of the failure of a job whose task a plugin blocked. */
export const JOB_BLOCKED = "JOB_BLOCKED";

/** Why the host ended a turn of a job. */
export type StopCause = "timeout" | "stuck" | "cancelled" | "lost";

/** A turn of a job that has ended. */
export interface EndedRun {
  /** Undefined when its row was removed. */
  readonly turn: Turn | undefined;
  readonly run: JobRun;
  readonly job: Job;
  readonly cause: StopCause | undefined;
  /** Outcome as the turn told it; undefined for a turn that ended in an earlier process. */
  readonly outcome: ReplyOutcome | undefined;
  /** Error of the budget that the run exceeded. */
  readonly exceeded: JobBudgetExceededError | undefined;
  /** True when a user can answer a budget request of the job. */
  readonly mayAsk: boolean;
}

/**
 * Next state of a job whose turn has ended. The job keeps its state with `again`, which begins another turn after a wait, with
 * `next`, which begins one at once for prompts that the turn did not read, and with `ask`, which waits for the answer of its
 * creator.
 */
export type Verdict =
  | { readonly to: "ask"; readonly reason: string }
  | { readonly to: "next"; readonly reason: string }
  | {
      readonly to: Extract<JobState, "completed" | "failed" | "stuck" | "cancelled">;
      readonly details: MoveDetails;
    }
  | { readonly to: "again"; readonly reason: string };

/**
 * Returns what follows from the end of a turn.
 * @param ended - the turn and its job
 */
export function verdictOf(ended: EndedRun): Verdict {
  const { turn, run, job, cause, outcome, exceeded, mayAsk } = ended;
  const isEnded = turn?.state === "blocked" || turn?.state === "interrupted";
  if (!isEnded && (exceeded !== undefined || turn?.stopReason === "budget")) {
    const reason = exceeded?.message ?? run.answer ?? "its budget is used up";
    return mayAsk ? { to: "ask", reason } : failed(JobBudgetExceededError.code, reason);
  }
  if (cause === "timeout") {
    return stuck(`it worked for ${job.timeoutMs / 1000} s without coming to an end`);
  }
  if (cause === "stuck") return stuck("it showed no progress");
  switch (turn?.state) {
    case undefined:
      return stuck("its turn is no longer stored");
    case "completed":
      if (turn.stopReason === "max_iterations") {
        return stuck(`it used its ${job.maxIterations} model calls without coming to an end`);
      }
      if (job.prompts !== undefined) return { to: "next", reason: "further prompts came" };
      return { to: "completed", details: { result: run.answer ?? "" } };
    case "blocked":
      return failed(JOB_BLOCKED, run.answer ?? "a plugin blocked it");
    case "interrupted":
      // Unless a user stopped it, the process ended between the turn and this step.
      return outcome === undefined
        ? stuck("its turn was interrupted")
        : { to: "cancelled", details: { reason: "its turn was interrupted" } };
    default: {
      const { code = "JOB_FAILED", message = "its turn failed" } = turn?.error ?? {};
      const mayRetry = outcome?.status === "failed" && outcome.error.retryable;
      return mayRetry ? { to: "again", reason: message } : failed(code, message);
    }
  }
}

/**
 * Returns the result of a turn that came to its end although the budget was used up.
 * @param turn - turn that has ended
 * @param run - the run with its answer
 */
export function resultOf(turn: Turn | undefined, run: JobRun | undefined): string | undefined {
  const isWhole =
    turn?.state === "completed" &&
    turn.stopReason !== "budget" &&
    turn.stopReason !== "max_iterations";
  return isWhole ? run?.answer : undefined;
}

/**
 * Returns what a turn used, for the budget of its job. A fraction of a millionth counts as a whole one.
 * @param turn - turn that has ended
 */
export function useOf(turn: Turn | undefined): { readonly tokens: number; readonly cost: number } {
  const { input = 0, output = 0, cost } = turn?.usage ?? {};
  return { tokens: input + output, cost: Math.ceil(Number(cost?.usd ?? 0) * MICRO) };
}

function failed(code: string, message: string): Verdict {
  return { to: "failed", details: { reason: message, failure: { code, message } } };
}

function stuck(reason: string): Verdict {
  return { to: "stuck", details: { reason } };
}
