import { systemClock, type TimerHandle, type Timers } from "./clock.js";
import { OpenClawError } from "./open-claw-error.js";

/** Work did not settle before its deadline. */
export class DeadlineExceededError extends OpenClawError {
  static override readonly code = "DEADLINE_EXCEEDED";
  static override readonly kind = "timeout";
  readonly deadlineMs: number;

  /** @param deadlineMs - time the work had, in milliseconds */
  constructor(deadlineMs: number) {
    super(`it did not settle within ${deadlineMs} ms`);
    this.deadlineMs = deadlineMs;
  }
}

/**
 * Waits for work until its deadline. The work itself is not stopped; its later result or failure is dropped.
 * @param deadlineMs - in milliseconds
 * @param work - started at once
 * @param timers - default those of the process
 * @throws DeadlineExceededError, or what the work throws
 */
export async function withDeadline<Value>(
  deadlineMs: number,
  work: () => Value | Promise<Value>,
  timers: Timers = systemClock,
): Promise<Value> {
  let timer: TimerHandle;
  const late = new Promise<never>((_, reject) => {
    timer = timers.setTimeout(() => reject(new DeadlineExceededError(deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([(async () => work())(), late]);
  } finally {
    timers.clearTimeout(timer);
  }
}

/**
 * Waits for work, at most for a time; running out of time is not a failure. The work itself continues.
 * @param ms - maximum time to wait, in milliseconds
 * @param work - already started; its failure within the time is thrown
 * @returns true when the work finished within the time
 */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
