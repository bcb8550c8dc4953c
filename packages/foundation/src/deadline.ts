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
 * @throws DeadlineExceededError, or what the work throws
 */
export async function withDeadline<Value>(
  deadlineMs: number,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceededError(deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([(async () => work())(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for work, at most for a time; running out of time is not a failure. The work itself continues.
 * @param ms - maximum time to wait, in milliseconds
 * @param work - already started; its failure within the time is thrown
 */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
