import { JOB_BLOCKED } from "@openclaw/jobs";
import type { Job, RoutineRun, Turn } from "@openclaw/store";

/** Reply of a run that found nothing to tell (JOB-029). */
export const ROUTINE_OK = "ROUTINE_OK";

/** Reply of a heartbeat that found nothing to tell (JOB-036). */
export const HEARTBEAT_OK = "HEARTBEAT_OK";

/** End of a run. */
export interface RunEnd {
  readonly state: "ok" | "attention" | "failed";
  readonly reason?: string | undefined;
  readonly answer?: string | undefined;
  /** True when a gate blocked its text, which must not be kept (TURN-024). */
  readonly isBlocked?: boolean | undefined;
}

/**
 * Returns how a run ended whose turn has ended.
 * @param turn - the turn; undefined when its row was removed
 * @param run - the run, with the reply of the turn
 */
export function turnEnd(turn: Turn | undefined, { answer = "", reason }: RoutineRun): RunEnd {
  switch (turn?.state) {
    case "completed":
      return answered(answer, reason, turn.trigger === "heartbeat" ? HEARTBEAT_OK : ROUTINE_OK);
    case "blocked":
      return { ...failed(answer === "" ? "a plugin blocked it" : answer), isBlocked: true };
    case "interrupted":
      return failed("its turn was stopped");
    case undefined:
      return failed("the gateway ended while it ran");
    default:
      return failed(turn?.error?.message ?? "its turn failed");
  }
}

/**
 * Returns how a run ended whose job has ended.
 * @param job - the job; undefined when its row was removed
 */
export function jobEnd(job: Job | undefined, { reason }: RoutineRun): RunEnd {
  switch (job?.state) {
    case "completed":
    case "submitted":
    case "accepted":
      return answered(job.result ?? "", reason, ROUTINE_OK);
    case "cancelled":
      return failed("its job was cancelled");
    default:
      return {
        ...failed(job?.failure?.message ?? "its job is no longer stored"),
        isBlocked: job?.failure?.code === JOB_BLOCKED,
      };
  }
}

function answered(answer: string, reason: string | undefined, silent: string): RunEnd {
  if (answer.trim() === "") return failed("its reply is empty");
  return { state: answer.includes(silent) ? "ok" : "attention", reason, answer };
}

function failed(reason: string): RunEnd {
  return { state: "failed", reason };
}
