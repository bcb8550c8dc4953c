import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import type { WriteBehind } from "../storage/write-behind.js";
import {
  addSpending,
  markWarned,
  pruneSpending,
  type Spending,
  type SpendingPlace,
  type StoredSpending,
  spendingOf,
} from "./spending.js";

/** Time after which sums are deleted, in milliseconds: 400 days, as those of the host. */
const KEEP_MS = 400 * 86_400_000;
const PRUNE_EVERY_MS = 86_400_000;
/** Age in milliseconds from which a sum is read again where other hosts add to it. */
const FRESH_MS = 1000;
/** Sums that are remembered; more are read again. */
const MOST_KNOWN = 10_000;

/** Dependencies of {@link SpendingSums}. */
export interface SpendingSumsDependencies {
  /** Opens the database. */
  readonly database: () => Promise<PluginDatabase>;
  readonly writeBehind: WriteBehind;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when amounts could not be stored; they still count, and are stored with the next ones. */
  onFailure(error: unknown): void;
}

interface KnownSum {
  readonly sum: StoredSpending;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Amounts by place. */
type Amounts = Map<string, { readonly place: SpendingPlace; readonly spent: Spending }>;

/** Sums of the places, kept in memory from the first read; the database receives amounts behind the turn. */
export class SpendingSums {
  readonly #dependencies: SpendingSumsDependencies;
  /** Sums of the database that were asked for. */
  readonly #known = new Map<string, KnownSum>();
  /** Amounts that are not in the database, and those that are being written. */
  #waiting: Amounts = new Map();
  #written: Amounts = new Map();
  /** Reads and writes follow one another, so that no read returns what a write has changed meanwhile. */
  #work: Promise<unknown> = Promise.resolve();
  #isShared = false;
  #prunedAt: number;

  /** @param dependencies - database, clock, and time of the writes */
  constructor(dependencies: SpendingSumsDependencies) {
    this.#dependencies = dependencies;
    this.#prunedAt = dependencies.now();
  }

  /**
   * Adds the amount of a call, which counts at once.
   * @param places - sums that it belongs to
   * @param spent - its amount
   */
  add(places: readonly SpendingPlace[], spent: Spending): void {
    for (const place of places) include(this.#waiting, place, spent);
    this.#dependencies.writeBehind.schedule(this.#write);
  }

  /**
   * Returns the sums of some places: at once when all of them are known.
   * @throws the error of the database that could not be read
   */
  read(
    places: readonly SpendingPlace[],
  ): readonly StoredSpending[] | Promise<readonly StoredSpending[]> {
    const total = () => places.map((place) => this.#total(place));
    const missing = places.filter((place) => !this.#isKnown(place));
    if (missing.length === 0) return total();
    return this.#inOrder(async () => {
      const database = await this.#open();
      if (this.#known.size > MOST_KNOWN) this.#known.clear();
      for (const place of places) {
        if (!this.#isKnown(place)) this.#know(await spendingOf(database, place));
      }
    }).then(total);
  }

  /**
   * Notes that a warning is given for a place.
   * @returns false when one was given before, also by another host
   */
  async warn(place: SpendingPlace): Promise<boolean> {
    // The warning is noted in the row of the sum, which must exist.
    await this.#write();
    return await this.#inOrder(async () => {
      const isFirst = await markWarned(await this.#open(), place);
      this.#know({ ...(this.#known.get(keyOf(place))?.sum ?? nothing(place)), hasWarned: true });
      return isFirst;
    });
  }

  readonly #write = (): Promise<void> =>
    this.#inOrder(async () => {
      const { now, onFailure } = this.#dependencies;
      this.#written = this.#waiting;
      this.#waiting = new Map();
      try {
        const database = await this.#open();
        const sums = await addSpending(database, [...this.#written.values()], now());
        this.#written = new Map();
        for (const sum of sums) if (this.#known.has(keyOf(sum))) this.#know(sum);
        if (now() - this.#prunedAt < PRUNE_EVERY_MS) return;
        this.#prunedAt = now();
        await pruneSpending(database, now() - KEEP_MS);
      } catch (error) {
        for (const { place, spent } of this.#written.values()) include(this.#waiting, place, spent);
        this.#written = new Map();
        onFailure(error);
      }
    });

  async #open(): Promise<PluginDatabase> {
    const database = await this.#dependencies.database();
    this.#isShared = database.dialect === "postgres";
    return database;
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => undefined);
    return done;
  }

  #know(sum: StoredSpending): void {
    this.#known.set(keyOf(sum), { sum, at: this.#dependencies.now() });
  }

  #isKnown(place: SpendingPlace): boolean {
    const known = this.#known.get(keyOf(place));
    if (known === undefined) return false;
    return !this.#isShared || this.#dependencies.now() - known.at < FRESH_MS;
  }

  #total(place: SpendingPlace): StoredSpending {
    const key = keyOf(place);
    const stored = this.#known.get(key)?.sum ?? nothing(place);
    const spent = [this.#waiting, this.#written].flatMap(
      (amounts) => amounts.get(key)?.spent ?? [],
    );
    return spent.length === 0 ? stored : { ...stored, ...spent.reduce(added, stored) };
  }
}

function keyOf({ scope, name, period }: SpendingPlace): string {
  return `${scope}\0${period}\0${name}`;
}

function nothing({ scope, name, period }: SpendingPlace): StoredSpending {
  return { scope, name, period, picoUsd: 0n, tokens: 0, estimated: 0, hasWarned: false };
}

function include(amounts: Amounts, place: SpendingPlace, spent: Spending): void {
  const key = keyOf(place);
  const before = amounts.get(key)?.spent;
  amounts.set(key, { place, spent: before === undefined ? spent : added(before, spent) });
}

function added(left: Spending, right: Spending): Spending {
  return {
    picoUsd: left.picoUsd + right.picoUsd,
    tokens: left.tokens + right.tokens,
    estimated: left.estimated + right.estimated,
  };
}
