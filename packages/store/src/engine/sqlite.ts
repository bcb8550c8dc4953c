import { setTimeout as delay } from "node:timers/promises";
import { Mutex } from "@openclaw/foundation";
import BetterSqlite from "better-sqlite3";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import {
  RowConstraintError,
  StoreUnavailableError,
  TransactionMisuseError,
  type UnavailableReason,
} from "../errors.js";
import type { SchemaWords } from "../migrations/migration.js";

/** Failure that acknowledged rows survive: loss of power, or the end of the process. */
export type Durability = "power" | "process";

/** Path of an in-memory database. */
export const IN_MEMORY = ":memory:";

/** SQLite dialect of the migrations. */
export const SQLITE_SCHEMA: SchemaWords = {
  identity: "integer primary key",
  integer: "integer",
  text: "text",
  table: "strict",
  clusteredTable: "strict, without rowid",
};

const BUSY_TIMEOUT_MS = 5000;
const BUSY_RETRY_MS = 5;
const MAX_CACHED_STATEMENTS = 256;
/**
 * Size of the write-ahead log, in pages, that starts a checkpoint, during which all other work
 * waits for the disk: 16 MiB, four times SQLite's default. Pages that every turn writes are then
 * copied once for many turns.
 */
const CHECKPOINT_PAGES = 4000;

const UNAVAILABLE: readonly (readonly [code: string, reason: UnavailableReason])[] = [
  ["SQLITE_CANTOPEN", "cannot-open"],
  ["SQLITE_PERM", "read-only"],
  ["SQLITE_READONLY", "read-only"],
  ["SQLITE_FULL", "full"],
  ["SQLITE_CORRUPT", "corrupt"],
  ["SQLITE_NOTADB", "corrupt"],
  ["SQLITE_BUSY", "busy"],
  ["SQLITE_LOCKED", "busy"],
  ["SQLITE_IOERR", "input-output"],
];

/**
 * Opens a SQLite database in write-ahead mode.
 * @param file - absolute path, or `:memory:`
 * @param durability - `power` syncs the log at every commit, `process` only at checkpoints
 * @throws StoreUnavailableError when the file cannot be opened or is not a database
 */
export function openSqlite(file: string, durability: Durability): BetterSqlite.Database {
  try {
    const database = new BetterSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      database.pragma("journal_mode = wal");
      database.pragma(`synchronous = ${durability === "power" ? "full" : "normal"}`);
      // Effective only on macOS, where an ordinary sync stops at the drive's cache.
      database.pragma(`fullfsync = ${durability === "power"}`);
      database.pragma(`checkpoint_fullfsync = ${durability === "power"}`);
      database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      database.pragma("foreign_keys = on");
      // Deleted content is overwritten, so that no free page keeps it (TURN-024).
      database.pragma("secure_delete = on");
      // A truncated file fails here, and not at the first query after the start of the host.
      database.prepare("select count(*) from sqlite_schema").get();
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw translateSqliteError(file, error);
  }
}

/**
 * Converts an error of the engine to a store error; returns any other error unchanged.
 * @param file - the database, for the message
 * @param error - the error of the engine
 */
export function translateSqliteError(file: string, error: unknown): unknown {
  if (!(error instanceof BetterSqlite.SqliteError)) return error;
  const { code } = error;
  if (code.startsWith("SQLITE_CONSTRAINT")) {
    const constraint = code === "SQLITE_CONSTRAINT_FOREIGNKEY" ? "foreign-key" : "other";
    return new RowConstraintError(constraint, error.message, error);
  }
  const known = UNAVAILABLE.find(([prefix]) => code.startsWith(prefix));
  if (known === undefined) return error;
  return new StoreUnavailableError(file, known[1], { detail: code, cause: error });
}

/**
 * Returns true when the engine failed because another connection holds a lock.
 * @param error - the error of the engine
 */
export function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/**
 * Returns a kysely dialect over one open SQLite connection. Callers use it one at a time, in order
 * of arrival.
 * @param database - from {@link openSqlite}
 * @param file - the database, for messages
 */
export function sqliteDialect(database: BetterSqlite.Database, file: string): Dialect {
  // The engine would block the whole process; the connection waits for locks by itself.
  database.pragma("busy_timeout = 0");
  return {
    createDriver: () => new SqliteDriver(new SqliteStatements(database, file)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TurnTakingAdapter(),
    createIntrospector: (builder) => new SqliteIntrospector(builder),
  };
}

/** The driver orders the work itself, so that closing can wait for work in progress. */
class TurnTakingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Prepares each statement once; preparing costs several times more than running. */
class SqliteStatements {
  readonly #database: BetterSqlite.Database;
  readonly #file: string;
  readonly #prepared = new Map<string, BetterSqlite.Statement<unknown[]>>();

  constructor(database: BetterSqlite.Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  run(sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> {
    try {
      const statement = this.#prepare(sql);
      if (statement.reader) return { rows: statement.all(...parameters) };
      const { changes } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw translateSqliteError(this.#file, error);
    }
  }

  close(): void {
    this.#database.close();
  }

  #prepare(sql: string): BetterSqlite.Statement<unknown[]> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare<unknown[]>(sql);
    if (this.#prepared.size >= MAX_CACHED_STATEMENTS) this.#prepared.clear();
    this.#prepared.set(sql, statement);
    return statement;
  }
}

/** Connection of one caller, for the duration of its turn. */
class SqliteConnection implements DatabaseConnection {
  readonly #statements: SqliteStatements;
  readonly #release: () => void;
  #ended = false;

  constructor(statements: SqliteStatements, release: () => void) {
    this.#statements = statements;
    this.#release = release;
  }

  // Rows have the types the query builder inferred from the schema; the engine cannot know them.
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#ended) {
      throw new TransactionMisuseError(
        "store: a call begun inside a transaction was still waiting when the transaction ended, and was not run; " +
          "await every call before the work function returns or throws",
      );
    }
    const run = () => this.#statements.run(sql, parameters) as QueryResult<Row>;
    // Inside a transaction the lock is already held.
    return this.#statements.inTransaction ? run() : await whenFree(run);
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  async begin(): Promise<void> {
    // Immediate: a transaction that reads first could otherwise fail at its first write.
    await whenFree(() => this.#statements.run("begin immediate"));
  }

  commit(): void {
    this.#ended = true;
    this.#statements.run("commit");
  }

  rollback(): void {
    this.#ended = true;
    // A full disk or a read error has already rolled back the transaction.
    if (this.#statements.inTransaction) this.#statements.run("rollback");
  }

  release(): void {
    this.#ended = true;
    this.#release();
  }
}

/** Retries while another connection holds the lock, without blocking the process. */
async function whenFree<Result>(work: () => Result): Promise<Result> {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const isHeld = StoreUnavailableError.isInstance(error) && error.reason === "busy";
      if (!isHeld || performance.now() >= until) throw error;
      await delay(BUSY_RETRY_MS);
    }
  }
}

class SqliteDriver implements Driver {
  readonly #statements: SqliteStatements;
  readonly #mutex = new Mutex();

  constructor(statements: SqliteStatements) {
    this.#statements = statements;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#statements, await this.#mutex.acquire());
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.commit();
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.rollback();
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#statements.close();
  }
}
