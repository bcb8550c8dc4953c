/** Longest wait that is believed, in milliseconds: a day. */
const LONGEST_MS = 86_400_000;
/** From this number on, seconds are a time since the epoch: no provider asks to wait for 31 years. */
const EPOCH_SECONDS = 1_000_000_000;
/** The same for milliseconds. */
const EPOCH_MS = 1_000_000_000_000;

/**
 * Returns the milliseconds to wait according to the headers of a response: milliseconds, seconds, a date, or a time
 * since the epoch. At most a day, whatever the provider states.
 * @param headers - values of `retry-after-ms` and `retry-after`
 * @param now - milliseconds since the epoch
 * @returns undefined when they state no wait
 */
export function statedWait(
  headers: { readonly milliseconds: unknown; readonly wait: unknown },
  now: number,
): number | undefined {
  const { milliseconds, wait } = headers;
  if (typeof milliseconds === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(milliseconds)) {
    return waitOf(Math.ceil(Number(milliseconds)), EPOCH_MS, now);
  }
  if (typeof wait !== "string") return undefined;
  if (/^\s*\d+(?:\.\d+)?\s*s?\s*$/.test(wait)) return secondsToWait(Number.parseFloat(wait), now);
  const duration = durationOf(wait);
  if (duration !== undefined) return bounded(duration);
  // A number that is not a wait, such as -5, would be read as a year.
  const date = /[a-z]|\d:\d|\d-\d/i.test(wait) ? Date.parse(wait) : Number.NaN;
  return Number.isNaN(date) ? undefined : bounded(date - now);
}

/**
 * Returns the milliseconds of a duration such as `7s`, in which Gemini states its wait; at most a day.
 * @param now - milliseconds since the epoch
 */
export function statedDuration(duration: unknown, now: number): number | undefined {
  const found = typeof duration === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(duration) : null;
  return found === null ? undefined : secondsToWait(Number(found[1]), now);
}

/** Returns the milliseconds of a duration with units, such as `1m30s` or `500ms`. */
function durationOf(text: string): number | undefined {
  const number = "(\\d+(?:\\.\\d+)?)";
  const form = new RegExp(`^(?:${number}h)?(?:${number}m)?(?:${number}s)?(?:${number}ms)?$`, "i");
  const compact = text.replaceAll(/\s+/g, "");
  const found = compact === "" ? null : form.exec(compact);
  if (found === null) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return Math.ceil(((hours * 60 + minutes) * 60 + seconds) * 1000 + ms);
}

function secondsToWait(seconds: number, now: number): number {
  if (seconds >= EPOCH_MS) return bounded(seconds - now);
  return waitOf(Math.ceil(seconds * 1000), EPOCH_SECONDS * 1000, now);
}

function waitOf(ms: number, epochFrom: number, now: number): number {
  return bounded(ms >= epochFrom ? ms - now : ms);
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, ms), LONGEST_MS);
}
