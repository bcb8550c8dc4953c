/** Shortest and longest time before an attempt to connect, in milliseconds. */
const SHORTEST = 500;
const LONGEST = 15_000;

/**
 * Returns the time to wait before the next attempt to connect. It doubles with each failed attempt; a random half of
 * it keeps clients that lost the same gateway from returning at the same moment.
 * @param failures - number of attempts that failed since the last connection, from 1
 * @param random - returns a number from 0 up to, but not including, 1
 * @returns milliseconds, from 500 to 15,000
 */
export function reconnectDelay(failures: number, random: () => number): number {
  const longest = Math.min(LONGEST, 2 * SHORTEST * 2 ** Math.min(failures - 1, 16));
  const half = longest / 2;
  return Math.round(half + half * random());
}
