import type { FailoverSettings, RetrySettings } from "./settings.js";

/** Shortest wait before a repetition, in milliseconds (LLM-025). */
const SHORTEST_WAIT_MS = 100;
/** Share by which a wait varies, so that many callers do not return at the same moment. */
const JITTER = 0.25;
/** Longest cooldown because of a time that a provider asks for, in milliseconds: an hour. */
const LONGEST_STATED_COOLDOWN_MS = 3_600_000;

/**
 * Returns the wait before a repetition in milliseconds: the time that the provider asks for, else a wait that doubles
 * with each repetition and varies by 25 % (LLM-025).
 * @param attempt - number of repetitions so far, from 0
 * @param retryAfterMs - time that the provider asks for
 * @param settings - base and maximum
 * @param random - returns a number from 0 to 1
 * @returns undefined when the provider asks for more than the maximum
 */
export function retryWait(
  attempt: number,
  retryAfterMs: number | undefined,
  { baseMs, maxWaitMs }: RetrySettings,
  random: () => number,
): number | undefined {
  if (retryAfterMs !== undefined) {
    return retryAfterMs > maxWaitMs ? undefined : Math.max(SHORTEST_WAIT_MS, retryAfterMs);
  }
  const exact = Math.min(baseMs * 2 ** attempt, maxWaitMs);
  const varied = exact * (1 - JITTER + 2 * JITTER * random());
  return Math.max(SHORTEST_WAIT_MS, varied);
}

/**
 * Returns the cooldown of a model in milliseconds (LLM-017, LLM-019, LLM-022).
 * @param failures - number of consecutive failures
 * @param retryAfterMs - time that the provider asks for, which applies up to an hour when it is longer
 * @param settings - threshold, base and maximum
 * @returns 0 below the threshold
 */
export function cooldownOf(
  failures: number,
  retryAfterMs: number | undefined,
  { failureThreshold, cooldownMs, maxCooldownMs }: FailoverSettings,
): number {
  const beyond = failures - failureThreshold;
  if (beyond < 0) return 0;
  const computed = Math.min(cooldownMs * 2 ** beyond, maxCooldownMs);
  return Math.max(computed, Math.min(retryAfterMs ?? 0, LONGEST_STATED_COOLDOWN_MS));
}
