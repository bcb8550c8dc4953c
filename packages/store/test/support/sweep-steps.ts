import { setImmediate } from "node:timers/promises";
import type { Store } from "../../src/index.js";

/**
 * Sweeps a store with its default days until no counted row is left.
 * @param rows - counts the rows in a transaction
 * @returns the numbers of rows that each transaction of the sweep removed
 */
export async function sweepSteps(
  store: Store,
  rows: (inside: Store) => Promise<number>,
): Promise<number[]> {
  const left = [await store.transaction(rows)];
  const sweep = store.retention.sweep();
  while (left.at(-1) !== 0) {
    left.push(await store.transaction(rows));
    await setImmediate();
  }
  await sweep;
  return left
    .slice(1)
    .map((count, index) => (left[index] ?? 0) - count)
    .filter((removed) => removed > 0);
}
