import { WorkerFailedError } from "./errors.js";

/** Time in which a report is read whose worker has ended. */
const LAST_REPORT_MS = 1000;

/** Returns a promise that is rejected when a signal aborts. */
export function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Returns a promise that is resolved when the last report of a worker that has ended must have come. */
export function lastReport(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, LAST_REPORT_MS, undefined));
}

/**
 * Returns the failure of a worker that worked too long.
 * @param seconds - the limit
 */
export function timedOut(seconds: number): WorkerFailedError {
  return new WorkerFailedError(
    `it worked for ${seconds} s, the limit of jobs.sandbox.timeoutSeconds; give it a smaller task, or raise the limit`,
  );
}

/**
 * Returns the failure of a worker that ended without a result.
 * @param exitCode - null when a signal ended it
 * @param output - end of its output
 */
export function endedEarly(exitCode: number | null, output: string): WorkerFailedError {
  const how = exitCode === null ? "a signal ended it" : `it ended with exit code ${exitCode}`;
  return new WorkerFailedError(`${how} before it reported a result${output && `: ${output}`}`);
}
