import { resolve } from "node:path";
import { orderedIds } from "@openclaw/foundation";
import type { UnitOfWork } from "./database/unit-of-work.js";
import { type ApprovalGrants, ApprovalGrantTable } from "./decisions/approval-grants.js";
import { type Approvals, ApprovalTable } from "./decisions/approvals.js";
import { type Audit, AuditTable } from "./decisions/audit-log.js";
import { type PolicyDecisions, PolicyDecisionTable } from "./decisions/policy-decisions.js";
import { type ToolAudit, ToolAuditTable } from "./decisions/tool-audit-log.js";
import { type DatabasePlace, databasePlace } from "./engine/database-url.js";
import { type Engine, openEngine } from "./engine/engine.js";
import { type Durability, IN_MEMORY } from "./engine/sqlite.js";
import { DatabaseIncompleteError } from "./errors.js";
import { type Compactions, CompactionTable } from "./messages/compactions.js";
import { type Inbox, InboxTable } from "./messages/inbox.js";
import { type Outbox, OutboxTable } from "./messages/outbox.js";
import { type Transcript, TranscriptTable } from "./messages/transcript.js";
import {
  type AppliedMigration,
  appliedMigrations,
  MIGRATIONS,
  migrate,
} from "./migrations/migrations.js";
import { type PluginValues, PluginValueTable } from "./plugins/values.js";
import { type SessionArchives, SessionArchiveTables } from "./sessions/archive.js";
import { type SessionExtensions, SessionExtensionTable } from "./sessions/extensions.js";
import {
  type NextTurnInjections,
  NextTurnInjectionTable,
} from "./sessions/next-turn-injections.js";
import { type Sessions, SessionTable } from "./sessions/sessions.js";
import { type Subagents, SubagentTable } from "./sessions/subagents.js";
import { type TokenTotals, TokenTotalTable } from "./sessions/token-totals.js";
import { type Journal, JournalTable } from "./turns/journal.js";
import { type Traces, TraceTable } from "./turns/traces.js";
import { type Turns, TurnTable } from "./turns/turns.js";
import { noteCheck } from "./upkeep/check-note.js";
import { readCopyNote } from "./upkeep/copy-note.js";
import { type Retention, TableRetention } from "./upkeep/retention.js";

/** Every durable row of a host. */
export interface Store {
  /** What keeps the rows, and where; the address of a server has no password in it. */
  readonly database: { readonly dialect: "sqlite" | "postgres"; readonly name: string };
  readonly inbox: Inbox;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly transcript: Transcript;
  /** From where on transcripts are shown to models. */
  readonly compactions: Compactions;
  readonly outbox: Outbox;
  /** The steps of turns. */
  readonly journal: Journal;
  /** What budgets are held against. */
  readonly tokenTotals: TokenTotals;
  /** What plugins keep by key; {@link createPluginStores} gives each plugin its own. */
  readonly pluginValues: PluginValues;
  /** What plugins leave for the next turns of sessions. */
  readonly injections: NextTurnInjections;
  /** What plugins keep with sessions. */
  readonly sessionExtensions: SessionExtensions;
  /** Child sessions. */
  readonly subagents: Subagents;
  /** Who refused which tool call. */
  readonly toolAudit: ToolAudit;
  /** What policy decided about tool calls. */
  readonly policyDecisions: PolicyDecisions;
  /** What the hooks of runs did. */
  readonly traces: Traces;
  /** Questions to people about what is to run. */
  readonly approvals: Approvals;
  /** What people have allowed for longer than one call. */
  readonly approvalGrants: ApprovalGrants;
  /** What became of questions and grants, row sealing row. */
  readonly audit: Audit;
  /** What is kept for a time only. */
  readonly retention: Retention;
  /** Sessions on their way out of the database and into it. */
  readonly archives: SessionArchives;
  /**
   * Runs work whose writes all count or none: they are committed when the returned promise of
   * `work` resolves, and undone when it rejects. Other calls wait until then, so do nothing slow in
   * it, and await every call.
   *
   * A transaction inside a transaction joins it. When a part of it fails it cannot commit any more,
   * even if the part's error is caught.
   * @param work - receives the store to use; the outer store is refused inside
   * @throws TransactionMisuseError when the outer store is used inside, or an error was caught
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /**
   * The database's clock, in milliseconds since the epoch: what expires or falls due is compared
   * with it, so that hosts whose own clocks differ come to the same result (SCALE-004).
   */
  clock(): Promise<number>;
  /** The migrations the database has, oldest first. */
  migrations(): Promise<readonly AppliedMigration[]>;
  /**
   * Proves that the database takes writes and still lies where it was opened: it writes a row. Cheap
   * enough for a readiness probe.
   * @throws StoreUnavailableError when it cannot, or was replaced
   */
  check(): Promise<void>;
  /** Waits for what was begun, then closes the database. Inside a transaction it is refused. */
  close(): Promise<void>;
}

/** Where the rows of a store lie: in a file of SQLite, or where a URL says. */
export type StorePlace =
  | {
      /** Path of the database file, whose folder must exist; `:memory:` keeps nothing. */
      readonly file: string;
    }
  | {
      /** `file:<path>`, or `postgres://<user>@<host>/<database>`, to which `?schema=` may be added. */
      readonly url: string;
      /** What a relative path starts from; the current folder when absent. */
      readonly folder?: string;
    };

/** How to open a store. */
export type OpenStoreOptions = StorePlace & {
  /**
   * `power` (default): an acknowledged row survives a power cut. `process`: it survives the end of
   * the process, but a power cut may lose the last moments.
   */
  readonly durability?: Durability;
  /** The clock of this host, in milliseconds since the epoch. */
  readonly now?: () => number;
  /**
   * What stands for the database's clock, for tests of what expires. When absent, a server has its own,
   * and SQLite goes by `now`.
   */
  readonly databaseClock?: (() => number) | undefined;
  /** Keeps out other stores that say the same: a host alone takes up the turns of its database. */
  readonly exclusive?: boolean;
};

/**
 * Opens a database, creating it when there is none, and brings it to the newest schema.
 * @throws StoreArgumentError for a URL that names no database
 * @throws StoreUnavailableError when the database cannot be opened, read or written
 * @throws DatabaseInUseError when it is to be exclusive, and another host keeps it
 * @throws SchemaTooNewError when a newer version of the product wrote it
 * @throws MigrationChangedError when its history differs from this version's
 * @throws DatabaseIncompleteError when a copy into it was begun and never finished
 */
export async function openStore({
  durability = "power",
  now = Date.now,
  databaseClock,
  exclusive = false,
  ...place
}: OpenStoreOptions): Promise<Store> {
  const engine = await openEngine(placeOf(place), { durability, now, databaseClock, exclusive });
  const { unit, name, words } = engine;
  try {
    await migrate(unit, name, words, MIGRATIONS);
    const copy = await readCopyNote(unit);
    if (copy?.state === "copying") throw new DatabaseIncompleteError(name, copy.source);
    return new UnitStore(unit, { engine, newId: orderedIds() });
  } catch (error) {
    await unit.close();
    await engine.release();
    throw error;
  }
}

function placeOf(place: StorePlace): DatabasePlace {
  if ("url" in place) return databasePlace(place.url, place.folder);
  const { file } = place;
  return { engine: "sqlite", file: file === IN_MEMORY ? file : resolve(file) };
}

/** What a store and its transactions have in common. */
interface Origin {
  readonly engine: Engine;
  readonly newId: (now: number) => string;
}

/** The tables over a database or over one of its transactions. */
class UnitStore implements Store {
  readonly database: Store["database"];
  readonly inbox: Inbox;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly transcript: Transcript;
  readonly compactions: Compactions;
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly tokenTotals: TokenTotals;
  readonly pluginValues: PluginValues;
  readonly injections: NextTurnInjections;
  readonly sessionExtensions: SessionExtensions;
  readonly toolAudit: ToolAudit;
  readonly policyDecisions: PolicyDecisions;
  readonly traces: Traces;
  readonly subagents: Subagents;
  readonly approvals: Approvals;
  readonly approvalGrants: ApprovalGrants;
  readonly audit: Audit;
  readonly retention: Retention;
  readonly archives: SessionArchives;
  readonly #unit: UnitOfWork;
  readonly #origin: Origin;

  constructor(unit: UnitOfWork, origin: Origin) {
    this.#unit = unit;
    this.#origin = origin;
    const { dialect, name } = origin.engine;
    this.database = { dialect, name };
    this.inbox = new InboxTable(unit);
    this.retention = new TableRetention(unit);
    this.archives = new SessionArchiveTables(unit, origin.newId);
    this.sessions = new SessionTable(unit);
    this.turns = new TurnTable(unit);
    this.transcript = new TranscriptTable(unit, origin.newId);
    this.compactions = new CompactionTable(unit);
    this.outbox = new OutboxTable(unit, origin.newId);
    this.journal = new JournalTable(unit);
    this.tokenTotals = new TokenTotalTable(unit);
    this.pluginValues = new PluginValueTable(unit);
    this.injections = new NextTurnInjectionTable(unit, origin.newId);
    this.sessionExtensions = new SessionExtensionTable(unit);
    this.toolAudit = new ToolAuditTable(unit);
    this.approvals = new ApprovalTable(unit, origin.newId);
    this.approvalGrants = new ApprovalGrantTable(unit, origin.newId);
    this.audit = new AuditTable(unit);
    this.subagents = new SubagentTable(unit);
    this.policyDecisions = new PolicyDecisionTable(unit);
    this.traces = new TraceTable(unit);
  }

  async transaction<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return await this.#unit.atomic((unit) => work(new UnitStore(unit, this.#origin)));
  }

  async clock(): Promise<number> {
    return await this.#unit.clock();
  }

  async migrations(): Promise<readonly AppliedMigration[]> {
    return await appliedMigrations(this.#unit);
  }

  async check(): Promise<void> {
    // Only what is committed meets a full disk, or one that may not be written.
    await noteCheck(this.#unit);
    await this.#origin.engine.verify();
  }

  async close(): Promise<void> {
    await this.#unit.close();
    await this.#origin.engine.release();
  }
}
