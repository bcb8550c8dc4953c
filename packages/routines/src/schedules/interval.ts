const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|secs?|seconds?)$/, 1000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:w|weeks?)$/, 604_800_000],
];

const NAMES: readonly (readonly [string, number])[] = [
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/**
 * Reads a length of time such as `30m`, `1h30m`, `20 minutes`, `an hour` or `hour`.
 * @param text - the length as it was written
 * @returns milliseconds; undefined for other text
 */
export function readInterval(text: string): number | undefined {
  const written = text
    .trim()
    .toLowerCase()
    .replace(/^(?:an?\s+)?(?=(?:second|minute|hour|week)$)|^an?\s+/, "1 ");
  if (!/^(?:\d{1,9}\s*[a-z]+[\s,]*)+$/.test(written)) return undefined;
  let sum = 0;
  for (const [, amount = "", unit = ""] of written.matchAll(/(\d{1,9})\s*([a-z]+)/g)) {
    const size = UNITS.find(([name]) => name.test(unit))?.[1];
    if (size === undefined) return undefined;
    sum += Number(amount) * size;
  }
  return sum;
}

/**
 * Returns a length of time in words, for example `1 hour 30 minutes`.
 * @param ms - milliseconds; parts of a second are left out
 */
export function intervalText(ms: number): string {
  const parts: string[] = [];
  let left = ms;
  for (const [name, size] of NAMES) {
    const amount = Math.floor(left / size);
    left -= amount * size;
    if (amount > 0) parts.push(`${amount} ${name}${amount === 1 ? "" : "s"}`);
  }
  return parts.length === 0 ? "0 seconds" : parts.join(" ");
}
