import type { UnitOfWork } from "../database/unit-of-work.js";
import { type Journal, JournalTable } from "./journal.js";
import { type ListedRun, listRuns, type RunListQuery } from "./run-list.js";
import { type Traces, TraceTable } from "./traces.js";
import { type Turns, TurnTable } from "./turns.js";
import { type TurnUsage, TurnUsageTables } from "./usage.js";

/** Turns by run id, and the repositories of their data. */
export interface TurnsContext extends Turns {
  /** Steps of turns. */
  readonly journal: Journal;
  /** Traces of the hooks of runs. */
  readonly traces: Traces;
  /** Tokens that turns have used. */
  readonly usage: TurnUsage;
  /**
   * Returns runs with their messages, steps and cost, the one that was queued last first.
   * @throws StoreArgumentError when `limit` is not a whole number from 1
   */
  list(query: RunListQuery): Promise<readonly ListedRun[]>;
}

/** The turns of a database or transaction. Each repository is created on first use. */
export class UnitTurns extends TurnTable implements TurnsContext {
  readonly #unit: UnitOfWork;
  #journal: Journal | undefined;
  #traces: Traces | undefined;
  #usage: TurnUsage | undefined;

  /** @param unit - the database or transaction */
  constructor(unit: UnitOfWork) {
    super(unit);
    this.#unit = unit;
  }

  get journal(): Journal {
    this.#journal ??= new JournalTable(this.#unit);
    return this.#journal;
  }

  get usage(): TurnUsage {
    this.#usage ??= new TurnUsageTables(this.#unit);
    return this.#usage;
  }

  get traces(): Traces {
    this.#traces ??= new TraceTable(this.#unit);
    return this.#traces;
  }

  list(query: RunListQuery): Promise<readonly ListedRun[]> {
    return listRuns(this.#unit, query);
  }
}
