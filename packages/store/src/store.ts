import { resolve } from "node:path";
import { orderedIds } from "@openclaw/foundation";
import { MIGRATIONS } from "./contexts.js";
import type { UnitOfWork } from "./database/unit-of-work.js";
import { type DecisionsContext, UnitDecisions } from "./decisions/context.js";
import { type DatabasePlace, databasePlace } from "./engine/database-url.js";
import type { Engine } from "./engine/engine.js";
import { openEngine } from "./engine/open-engine.js";
import { type Durability, IN_MEMORY } from "./engine/sqlite.js";
import { steadyClock } from "./engine/steady-clock.js";
import { DatabaseIncompleteError } from "./errors.js";
import { type MessagesContext, UnitMessages } from "./messages/context.js";
import { type AppliedMigration, appliedMigrations, migrate } from "./migrations/migrations.js";
import { type PluginsContext, UnitPlugins } from "./plugins/context.js";
import { type SessionsContext, UnitSessions } from "./sessions/context.js";
import { type TurnsContext, UnitTurns } from "./turns/context.js";
import { noteCheck } from "./upkeep/check-note.js";
import { readCopyNote } from "./upkeep/copy-note.js";
import { type Retention, TableRetention } from "./upkeep/retention.js";

/**
 * Every durable row of a host, by context. A context has one repository for each kind of row it stores; those of
 * `sessions` and `turns` are also the repository of the sessions and turns themselves.
 */
export interface Store {
  /** What keeps the rows, and where; the address of a server has no password in it. */
  readonly database: { readonly dialect: "sqlite" | "postgres"; readonly name: string };
  /** Inbox, outbox, transcripts and their compactions. */
  readonly messages: MessagesContext;
  /** Sessions, and what is stored with them. */
  readonly sessions: SessionsContext;
  /** Turns, their journals and their traces. */
  readonly turns: TurnsContext;
  /** Approvals, grants, policy decisions and the audit logs. */
  readonly decisions: DecisionsContext;
  /** What plugins keep by key. */
  readonly plugins: PluginsContext;
  /** Removes what has been kept long enough, in every context. */
  readonly retention: Retention;
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
      readonly folder?: string | undefined;
    };

/** How to open a store. */
export type OpenStoreOptions = StorePlace & {
  /**
   * `power` (default): an acknowledged row survives a power cut. `process`: it survives the end of
   * the process, but a power cut may lose the last moments.
   */
  readonly durability?: Durability | undefined;
  /**
   * The clock of this host, in milliseconds since the epoch. When absent, that of the machine, which
   * continues within the process when the machine's is set back.
   */
  readonly now?: (() => number) | undefined;
  /**
   * What stands for the database's clock, for tests of what expires. When absent, a server has its own,
   * and SQLite goes by `now`.
   */
  readonly databaseClock?: (() => number) | undefined;
  /** Keeps out other stores that say the same: a host alone takes up the turns of its database. */
  readonly exclusive?: boolean | undefined;
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
  now = steadyClock(),
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

/** The contexts of a database or of one of its transactions. Each is made when it is first used. */
class UnitStore implements Store {
  readonly database: Store["database"];
  readonly #unit: UnitOfWork;
  readonly #origin: Origin;
  #messages: MessagesContext | undefined;
  #sessions: SessionsContext | undefined;
  #turns: TurnsContext | undefined;
  #decisions: DecisionsContext | undefined;
  #plugins: PluginsContext | undefined;
  #retention: Retention | undefined;

  constructor(unit: UnitOfWork, origin: Origin) {
    this.#unit = unit;
    this.#origin = origin;
    const { dialect, name } = origin.engine;
    this.database = { dialect, name };
  }

  get messages(): MessagesContext {
    this.#messages ??= new UnitMessages(this.#unit, this.#origin.newId);
    return this.#messages;
  }

  get sessions(): SessionsContext {
    this.#sessions ??= new UnitSessions(this.#unit, this.#origin.newId);
    return this.#sessions;
  }

  get turns(): TurnsContext {
    this.#turns ??= new UnitTurns(this.#unit);
    return this.#turns;
  }

  get decisions(): DecisionsContext {
    this.#decisions ??= new UnitDecisions(this.#unit, this.#origin.newId);
    return this.#decisions;
  }

  get plugins(): PluginsContext {
    this.#plugins ??= new UnitPlugins(this.#unit);
    return this.#plugins;
  }

  get retention(): Retention {
    this.#retention ??= new TableRetention(this.#unit);
    return this.#retention;
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
