import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import { insertRows } from "../storage/rows.js";

/** Numbers of a guard since it was first enabled. */
export interface GuardCounts {
  /** Events that the guard was asked about. */
  readonly seen: number;
  /** Events whose content it changed. */
  readonly changed: number;
  /** Events that it blocked. */
  readonly blocked: number;
  /** Events at which it threw, or could not store what it had to. */
  readonly failed: number;
}

/** Names of the counters, as in the database. */
const COUNTERS = ["seen", "changed", "blocked", "failed"] as const;

type Counter = (typeof COUNTERS)[number];

/** Counts the events of one guard; the numbers survive a restart once they are stored. */
export class GuardCounters {
  readonly guard: string;
  readonly #pending: Record<Counter, number> = { seen: 0, changed: 0, blocked: 0, failed: 0 };
  readonly #onChange: () => void;

  /** @param onChange - called when there is something to store */
  constructor(guard: string, onChange: () => void = () => undefined) {
    this.guard = guard;
    this.#onChange = onChange;
  }

  /**
   * Runs a handler of the guard and counts it; a failure is counted and thrown again, so that the host applies the
   * failure mode of the handler. A handler that answers without a promise is not delayed by one.
   * @param handler - decides about one event
   */
  run<Answer>(handler: () => Promise<Answer>): Promise<Answer>;
  run<Answer>(handler: () => Answer): Answer;
  run<Answer>(handler: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    this.#add("seen");
    let answer: Answer | Promise<Answer>;
    try {
      answer = handler();
    } catch (error) {
      this.failed();
      throw error;
    }
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      this.failed();
      throw error;
    });
  }

  /** Counts an event whose content was changed. */
  changed(): void {
    this.#add("changed");
  }

  /** Counts an event that was blocked. */
  blocked(): void {
    this.#add("blocked");
  }

  /** Counts a failure. */
  failed(): void {
    this.#add("failed");
  }

  /** Numbers that are not stored yet. */
  get pending(): GuardCounts {
    return { ...this.#pending };
  }

  /** Returns the numbers that are not stored yet, and starts at zero again. */
  take(): GuardCounts {
    const taken = this.pending;
    for (const counter of COUNTERS) this.#pending[counter] = 0;
    return taken;
  }

  /** @param counts - numbers that could not be stored */
  giveBack(counts: GuardCounts): void {
    for (const counter of COUNTERS) this.#pending[counter] += counts[counter];
  }

  #add(counter: Counter): void {
    this.#pending[counter] += 1;
    this.#onChange();
  }
}

/**
 * Adds counted events to those in the database.
 * @param database - database of the guards
 * @param counters - counters of all enabled guards
 */
export async function storeCounts(
  database: PluginDatabase,
  counters: readonly GuardCounters[],
): Promise<void> {
  const taken = counters
    .map((each) => ({ each, counts: each.take() }))
    .filter(({ counts }) => COUNTERS.some((counter) => counts[counter] > 0));
  try {
    const rows = taken.map(({ each, counts }) => [
      each.guard,
      ...COUNTERS.map((counter) => counts[counter]),
    ]);
    await database.transaction((inside) =>
      insertRows(
        inside,
        `insert into counters (guard, ${COUNTERS.join(", ")})`,
        rows,
        `on conflict (guard) do update set ${COUNTERS.map(
          (counter) => `${counter} = counters.${counter} + excluded.${counter}`,
        ).join(", ")}`,
      ),
    );
  } catch (error) {
    for (const { each, counts } of taken) each.giveBack(counts);
    throw error;
  }
}

/**
 * Reads the stored numbers of all guards.
 * @param database - database of the guards
 */
export async function storedCounts(
  database: PluginDatabase,
): Promise<ReadonlyMap<string, GuardCounts>> {
  const rows = await database.query<GuardCounts & { readonly guard: string }>(
    "select guard, seen, changed, blocked, failed from counters",
  );
  return new Map(
    rows.map(({ guard, seen, changed, blocked, failed }) => [
      guard,
      {
        seen: Number(seen),
        changed: Number(changed),
        blocked: Number(blocked),
        failed: Number(failed),
      },
    ]),
  );
}
