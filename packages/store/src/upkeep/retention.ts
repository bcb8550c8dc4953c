import { setImmediate } from "node:timers/promises";
import { RETENTION_DAYS, type RetentionSubject, TABLE_NAMES, TABLES } from "../contexts.js";
import type { Sweep } from "../database/context-definition.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { BatchSize } from "./batch-size.js";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows that one transaction removes at most (SCALE-029). */
const LARGEST_BATCH = 500;
/** Half of what one may take at most, so that the next is smaller before one takes that long. */
const LONG_BATCH_MS = 25;

/** Days that each subject is kept. */
export type RetentionDays = { readonly [Subject in RetentionSubject]: number };

/** How many rows of each subject were removed. */
export type RetentionCounts = { readonly [Subject in RetentionSubject]: number };

/** Removes what has been kept long enough. */
export interface Retention {
  /**
   * Removes every row whose time is over, in transactions of at most 500 rows between which others have
   * their turn. Ages are measured by the database's clock (SCALE-004).
   * @param days - how long each subject is kept; those left out have their default
   * @param options - `signal` ends the sweep after the transaction that runs
   * @returns how many rows were removed
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
    // What depends on a row decides whether the row is still needed, so it is removed first.
    for (const table of TABLE_NAMES.toReversed()) {
      const rule = TABLES[table].retention;
      if (rule === "kept" || !Number.isFinite(kept[rule.subject])) continue;
      const before = now - kept[rule.subject] * DAY_MS;
      removed[rule.subject] += await this.#removeAll(rule.sweep, before, signal);
    }
    return removed;
  }

  async #removeAll(sweep: Sweep, before: number, signal?: AbortSignal): Promise<number> {
    const batch = new BatchSize(LARGEST_BATCH, LONG_BATCH_MS);
    let total = 0;
    while (signal?.aborted !== true) {
      let begun = 0;
      const removed = await this.#unit.atomic((unit) => {
        // From here: until now it may have waited for others.
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
