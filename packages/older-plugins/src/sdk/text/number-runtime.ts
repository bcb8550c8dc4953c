/** Longest time of a timer in milliseconds. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Returns a whole number, also from its decimal text; undefined for anything else.
 * @param value - number or text
 * @deprecated Check the number in the plugin.
 */
export function parseStrictInteger(value: unknown): number | undefined {
  const number =
    typeof value === "string" && /^[+-]?\d+$/.test(value.trim()) ? Number(value.trim()) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

/**
 * Returns a whole number above zero, like {@link parseStrictInteger}.
 * @param value - number or text
 * @deprecated Check the number in the plugin.
 */
export function parseStrictPositiveInteger(value: unknown): number | undefined {
  const number = parseStrictInteger(value);
  return number !== undefined && number > 0 ? number : undefined;
}

/**
 * Returns a whole number from zero on, like {@link parseStrictInteger}.
 * @param value - number or text
 * @deprecated Check the number in the plugin.
 */
export function parseStrictNonNegativeInteger(value: unknown): number | undefined {
  const number = parseStrictInteger(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/**
 * Returns seconds as milliseconds that a timer accepts; undefined when they are not a number above zero.
 * @param value - seconds
 * @param options - true rounds the seconds down
 * @deprecated Multiply the seconds in the plugin.
 */
export function finiteSecondsToTimerSafeMilliseconds(
  value: unknown,
  options: { readonly floorSeconds?: boolean } = {},
): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return undefined;
  const seconds = options.floorSeconds === true ? Math.floor(value) : value;
  return Math.min(LONGEST_TIMER_MS, Math.max(1, Math.round(seconds * 1000)));
}

/**
 * Returns a time that a timer accepts.
 * @param value - milliseconds
 * @param fallback - used when they are not a number from zero on
 * @deprecated Check the number in the plugin.
 */
export function resolveTimerTimeoutMs(value: unknown, fallback: number): number {
  const ms = typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : fallback;
  return Math.min(LONGEST_TIMER_MS, Math.floor(ms));
}

/**
 * Returns a time in milliseconds since the epoch, also from a date or its text.
 * @param value - number, date or text
 * @deprecated Use `Date`.
 */
export function asDateTimestampMs(value: unknown): number | undefined {
  const time =
    typeof value === "number"
      ? value
      : value instanceof Date || typeof value === "string"
        ? new Date(value).getTime()
        : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

/**
 * Returns the time after a duration, in milliseconds since the epoch.
 * @param now - time from which it counts
 * @deprecated Add the duration in the plugin.
 */
export function resolveExpiresAtMsFromDurationMs(
  durationMs: unknown,
  now: number = Date.now(),
): number | undefined {
  return typeof durationMs === "number" && Number.isFinite(durationMs)
    ? now + durationMs
    : undefined;
}
