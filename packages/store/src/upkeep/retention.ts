import { setImmediate } from "node:timers/promises";
import { RETENTION_DAYS, type RetentionSubject, TABLE_NAMES, TABLES } from "../contexts.js";
import type { Sweep } from "../database/context-definition.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { BatchSize } from "./batch-size.js";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum number of rows that one transaction removes (SCALE-029). */
const LARGEST_BATCH = 500;
/** Half of the maximum duration, so that batches shrink before a transaction reaches it. */
const LONG_BATCH_MS = 25;

/** Number of days that each subject is kept. */
export type RetentionDays = { readonly [Subject in RetentionSubject]: number };

/** Number of removed rows of each subject. */
export type RetentionCounts = { readonly [Subject in RetentionSubject]: number };

/** Removes expired rows. */
export interface Retention {
  /**
   * Removes every expired row, in transactions of at most 500 rows between which other calls run.
   * Ages are measured by the database's clock (SCALE-004).
   * @param days - days that each subject is kept; missing subjects use their default
   * @param options - `signal` ends the sweep after the current transaction
   * @returns number of removed rows by subject
   */
  sweep(
    days?: Partial<RetentionDays>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<RetentionCounts>;
}

/** The retention of a database. */
export class TableRetention implements Retention {
  readonly #unit: UnitOfWork;

  constructor(unit: UnitOfWork) {
    this.#unit = unit;
  }

  async sweep(
    days: Partial<RetentionDays> = {},
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<RetentionCounts> {
    const now = await this.#unit.clock();
    const kept = { ...RETENTION_DAYS, ...days };
    const removed = nothingRemoved();
    // Dependent rows decide whether a row is still needed, so they are removed first.
    for (const table of TABLE_NAMES.toReversed()) {
      const rule = TABLES[table].retention;
      if (rule === "kept" || !Number.isFinite(kept[rule.subject])) continue;
      const before = now - kept[rule.subject] * DAY_MS;
      removed[rule.subject] += await this.#removeAll(rule.sweep, before, signal);
    }
    const hasRemoved = Object.values(removed).some((rows) => rows > 0);
    if (hasRemoved) await this.#unit.atomic(async (unit) => unit.erases());
    return removed;
  }

  async #removeAll(sweep: Sweep, before: number, signal?: AbortSignal): Promise<number> {
    const batch = new BatchSize(LARGEST_BATCH, LONG_BATCH_MS);
    let total = 0;
    while (signal?.aborted !== true) {
      let begun = 0;
      const removed = await this.#unit.atomic((unit) => {
        // Measured from here: until now it may have waited for others.
        begun = performance.now();
        return sweep(unit, before, batch.limit);
      });
      if (removed === 0) break;
      total += removed;
      batch.took(performance.now() - begun);
      await setImmediate();
    }
    return total;
  }
}

function nothingRemoved(): Record<RetentionSubject, number> {
  const counts = { ...RETENTION_DAYS };
  for (const { retention } of Object.values(TABLES)) {
    if (retention !== "kept") counts[retention.subject] = 0;
  }
  return counts;
}
