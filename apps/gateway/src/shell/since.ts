import { InvalidArgumentError } from "commander";

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const SPAN = /^(?<count>\d{1,6})(?<unit>[smhdw])$/;

/**
 * Reads a time in the past: a span such as `7d`, `12h` or `30m`, or a date.
 * @param text - text that the operator typed
 * @param now - milliseconds since the epoch
 * @returns milliseconds since the epoch; undefined when the text is not valid
 */
export function readSince(text: string, now: number): number | undefined {
  const { count, unit } = SPAN.exec(text)?.groups ?? {};
  if (count !== undefined && isUnit(unit)) return Math.max(0, now - Number(count) * UNITS[unit]);
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at);
}

function isUnit(unit: string | undefined): unit is keyof typeof UNITS {
  return unit !== undefined && Object.hasOwn(UNITS, unit);
}

/**
 * Reads a time in the past as an argument.
 * @param text - text that the operator typed
 * @returns milliseconds since the epoch
 * @throws InvalidArgumentError
 */
export function parseSince(text: string): number {
  const since = readSince(text, Date.now());
  if (since !== undefined) return since;
  throw new InvalidArgumentError('expected a span such as "7d", "12h" or "30m", or a date.');
}
