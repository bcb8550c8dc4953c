import { setImmediate } from "node:timers/promises";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { BatchSize } from "./batch-size.js";
import { RETENTION_RULES, type Sweep } from "./retention-rules.js";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows that one transaction removes at most (SCALE-029). */
const LARGEST_BATCH = 500;
/** Half of what one may take at most, so that the next is smaller before one takes that long. */
const LONG_BATCH_MS = 25;

/** What is kept for a time only. */
export type RetentionSubject = keyof typeof RETENTION_DEFAULTS;

/** For how many days each subject is kept. */
export type RetentionDays = { readonly [Subject in RetentionSubject]: number };

/** How long each subject is kept where nothing else is said, in days (SCALE-029). */
export const RETENTION_DEFAULTS = {
  /** Transcripts of conversations that ended, or that nobody used for that long. */
  transcript: Number.POSITIVE_INFINITY,
  /** Texts and attachments of messages as they came in, and of replies as they went out. */
  messageContent: 30,
  /** Steps of ended turns. */
  journal: 30,
  /** Who refused which tool call. */
  toolAudit: 90,
  /** What the hooks of runs did. */
  trace: 7,
  /** What policy decided about tool calls. */
  policyDecision: 30,
  /** Questions to people that were answered, or that nobody answered in time. */
  approval: 90,
};

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
    options?: { signal?: AbortSignal },
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
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<RetentionCounts> {
    const now = await this.#unit.clock();
    const kept = { ...RETENTION_DEFAULTS, ...days };
    const removed: Record<RetentionSubject, number> = {
      transcript: 0,
      messageContent: 0,
      journal: 0,
      toolAudit: 0,
      trace: 0,
      policyDecision: 0,
      approval: 0,
    };
    for (const rule of Object.values(RETENTION_RULES)) {
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
