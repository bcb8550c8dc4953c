export { createSubsystemLogger, type SubsystemLogger } from "./diagnostics/logging-core.js";

/** Growth of the waits between attempts. */
export interface BackoffPolicy {
  /** First wait in milliseconds. */
  readonly initialMs: number;
  /** Maximum wait in milliseconds. */
  readonly maxMs: number;
  /** Factor between one wait and the next. */
  readonly factor: number;
  /** Maximum random addition, as a fraction of the wait from 0 to 1. */
  readonly jitter: number;
}

/**
 * Returns the wait before an attempt in milliseconds.
 * @param policy - growth of the waits
 * @param attempt - number of the attempt, from 1
 * @deprecated Use the option `retry` of hooks, or a library.
 */
export function computeBackoff(policy: BackoffPolicy, attempt: number): number {
  const wait = policy.initialMs * policy.factor ** Math.max(attempt - 1, 0);
  return Math.min(policy.maxMs, Math.round(wait * (1 + policy.jitter * Math.random())));
}

/**
 * Waits for a time.
 * @param ms - milliseconds to wait
 * @deprecated Use `setTimeout` of `node:timers/promises`.
 */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Waits for a time, or until a signal aborts.
 * @param ms - milliseconds to wait
 * @param signal - rejects the wait with its reason when it aborts
 * @deprecated Use `setTimeout` of `node:timers/promises`.
 */
export function sleepWithAbort(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/**
 * Waits until a signal aborts.
 * @param signal - signal to wait for; when absent, the function returns at once
 * @deprecated Use `api.lifecycle.signal` with `events.once`.
 */
export function waitForAbortSignal(signal?: AbortSignal): Promise<void> {
  if (signal === undefined || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Adds a deadline to a promise; the work behind it continues after the deadline.
 * @param promise - promise to wait for
 * @param timeoutMs - deadline in milliseconds
 * @throws Error when the deadline passes
 * @deprecated Pass `AbortSignal.timeout` to the work itself.
 */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Retries a function until it succeeds.
 * @param work - function to run
 * @param attempts - maximum number of attempts, or an object with it
 * @param initialDelayMs - first wait between attempts; each one is twice the one before
 * @throws the error of the last attempt
 * @deprecated Use the option `retry` of hooks, or a library.
 */
export async function retryAsync<Value>(
  work: () => Promise<Value>,
  attempts: number | { attempts?: number; minDelayMs?: number; maxDelayMs?: number } = 3,
  initialDelayMs = 300,
): Promise<Value> {
  const given = typeof attempts === "number" ? { attempts } : attempts;
  const { attempts: most = 3, minDelayMs = initialDelayMs, maxDelayMs = 30_000 } = given;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= most) throw error;
      await sleep(Math.min(maxDelayMs, minDelayMs * 2 ** (attempt - 1)));
    }
  }
}

/**
 * Returns true when the value of an environment variable means yes.
 * @param value - `1`, `true`, `yes` or `on` in any case
 * @deprecated Compare the value yourself.
 */
export function isTruthyEnvValue(value: string | undefined): boolean {
  return /^(?:1|true|yes|on)$/i.test((value ?? "").trim());
}

/**
 * Formats a duration in seconds for display.
 * @param ms - milliseconds
 * @param options - number of decimals, 1 by default
 * @deprecated Format the number yourself.
 */
export function formatDurationSeconds(ms: number, options: { decimals?: number } = {}): string {
  return `${Number((Math.max(ms, 0) / 1000).toFixed(options.decimals ?? 1))}s`;
}

/**
 * Formats a duration for display: below one second in milliseconds, else in seconds.
 * @param ms - milliseconds
 * @deprecated Format the number yourself.
 */
export function formatDurationPrecise(ms: number): string {
  return ms < 1000
    ? `${Math.max(Math.round(ms), 0)}ms`
    : formatDurationSeconds(ms, { decimals: 2 });
}
