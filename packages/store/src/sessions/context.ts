import type { UnitOfWork } from "../database/unit-of-work.js";
import { type SessionArchives, SessionArchiveTables } from "./archive.js";
import { type SessionExtensions, SessionExtensionTable } from "./extensions.js";
import { type NextTurnInjections, NextTurnInjectionTable } from "./next-turn-injections.js";
import type { Sessions } from "./session.js";
import { SessionTable } from "./sessions.js";
import { type Subagents, SubagentTable } from "./subagents.js";
import { type Threads, ThreadTable } from "./threads.js";
import { type TokenTotals, TokenTotalTable } from "./token-totals.js";

/** Sessions by key, and the repositories of their data. */
export interface SessionsContext extends Sessions {
  /** Values that plugins keep with sessions. */
  readonly extensions: SessionExtensions;
  /** Text that plugins add to the next turn of a session. */
  readonly injections: NextTurnInjections;
  /** Subagents and their sessions. */
  readonly subagents: Subagents;
  /** Sessions as JSON documents. */
  readonly archives: SessionArchives;
  /** Conversations of sessions, with those that have ended. */
  readonly threads: Threads;
  /** Tokens used by models, for budgets. */
  readonly tokenTotals: TokenTotals;
}

/** The sessions of a database or transaction. Each repository is created on first use. */
export class UnitSessions extends SessionTable implements SessionsContext {
  readonly #unit: UnitOfWork;
  readonly #newId: (now: number) => string;
  #extensions: SessionExtensions | undefined;
  #injections: NextTurnInjections | undefined;
  #subagents: Subagents | undefined;
  #archives: SessionArchives | undefined;
  #threads: Threads | undefined;
  #tokenTotals: TokenTotals | undefined;

  /**
   * @param unit - the database or transaction
   * @param newId - creates the ids of new rows, which sort by the given time
   */
  constructor(unit: UnitOfWork, newId: (now: number) => string) {
    super(unit);
    this.#unit = unit;
    this.#newId = newId;
  }

  get extensions(): SessionExtensions {
    this.#extensions ??= new SessionExtensionTable(this.#unit);
    return this.#extensions;
  }

  get injections(): NextTurnInjections {
    this.#injections ??= new NextTurnInjectionTable(this.#unit, this.#newId);
    return this.#injections;
  }

  get subagents(): Subagents {
    this.#subagents ??= new SubagentTable(this.#unit);
    return this.#subagents;
  }

  get archives(): SessionArchives {
    this.#archives ??= new SessionArchiveTables(this.#unit, this.#newId);
    return this.#archives;
  }

  get threads(): Threads {
    this.#threads ??= new ThreadTable(this.#unit, this.#newId);
    return this.#threads;
  }

  get tokenTotals(): TokenTotals {
    this.#tokenTotals ??= new TokenTotalTable(this.#unit);
    return this.#tokenTotals;
  }
}
