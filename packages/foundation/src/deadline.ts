import { systemClock, type TimerHandle, type Timers } from "./clock.js";
import { OpenClawError } from "./open-claw-error.js";

/** Work did not settle before its deadline. */
export class DeadlineExceededError extends OpenClawError {
  static override readonly code = "DEADLINE_EXCEEDED";
  static override readonly kind = "timeout";
  readonly deadlineMs: number;

  /** @param deadlineMs - time that the work had, in milliseconds */
  constructor(deadlineMs: number) {
    super(`the operation did not settle within ${deadlineMs} ms`);
    this.deadlineMs = deadlineMs;
  }
}

/**
 * Waits for work until its deadline. The work itself is not stopped; its later result or failure is dropped.
 * @param deadlineMs - deadline in milliseconds
 * @param work - function that is called at once
 * @param timers - timers; those of the process by default
 * @throws DeadlineExceededError, or the error of the work
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
 * Waits for work for a limited time; exceeding the time is not a failure. The work itself continues.
 * @param ms - maximum time to wait, in milliseconds
 * @param work - promise of started work; its failure within the time is thrown
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
