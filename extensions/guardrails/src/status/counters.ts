import type { PluginDatabase } from "@openclaw/plugin-sdk/store";

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

  /**
   * @param guard - name of the guard
   * @param onChange - called when there is something to store
   */
  constructor(guard: string, onChange: () => void = () => undefined) {
    this.guard = guard;
    this.#onChange = onChange;
  }

  /**
   * Runs a handler of the guard and counts it; a failure is counted and thrown again, so that the host applies the
   * failure mode of the handler.
   * @param handler - decides about one event
   */
  async run<Answer>(handler: () => Answer | Promise<Answer>): Promise<Answer> {
    this.#add("seen");
    try {
      return await handler();
    } catch (error) {
      this.failed();
      throw error;
    }
  }

  /** Counts a synchronous handler, like {@link run}. */
  runSync<Answer>(handler: () => Answer): Answer {
    this.#add("seen");
    try {
      return handler();
    } catch (error) {
      this.failed();
      throw error;
    }
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
  for (const each of counters) {
    const counts = each.take();
    if (COUNTERS.every((counter) => counts[counter] === 0)) continue;
    try {
      await database.query(
        `insert into counters (guard, seen, changed, blocked, failed) values ($1, $2, $3, $4, $5)
         on conflict (guard) do update set seen = counters.seen + excluded.seen,
           changed = counters.changed + excluded.changed, blocked = counters.blocked + excluded.blocked,
           failed = counters.failed + excluded.failed`,
        [each.guard, counts.seen, counts.changed, counts.blocked, counts.failed],
      );
    } catch (error) {
      each.giveBack(counts);
      throw error;
    }
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
