import type { BudgetLimit } from "./limits.js";

/** Number of warnings that are remembered; those of many sessions are forgotten oldest first. */
const MOST_WARNINGS = 1000;

/** Warnings about budgets that a host has logged, so that each is logged once per period. */
export class BudgetWarnings {
  readonly #given = new Set<string>();

  /** Returns true for the first warning about a limit in its period. */
  isNew({ limit, setting }: BudgetLimit): boolean {
    const { scope, unit } = limit;
    // An hour of calls moves with each call.
    const period = unit === "calls" ? "hour" : limit.since;
    const key = JSON.stringify([setting, scope, period, String(limit.maximum)]);
    if (this.#given.has(key)) return false;
    this.#given.add(key);
    const [oldest] = this.#given;
    if (this.#given.size > MOST_WARNINGS && oldest !== undefined) this.#given.delete(oldest);
    return true;
  }
}
