import { setTimeout as delay } from "node:timers/promises";
import { Mutex } from "@openclaw/foundation";
import type BetterSqlite from "better-sqlite3";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Schema } from "../database/schema.js";
import type { DirectAccess, OpenTransaction } from "../database/unit-of-work.js";
import { StoreUnavailableError, TransactionMisuseError } from "../errors.js";
import { type FlushFile, LogFlush } from "./log-flush.js";
import { type Durability, hasLog, openSqlite, translateSqliteError } from "./sqlite.js";

const BUSY_TIMEOUT_MS = 5000;
const BUSY_RETRY_MS = 5;
const MAX_CACHED_STATEMENTS = 256;

/** An open database. */
export interface OpenSqlite {
  /** Callers use the connection one at a time, in order of arrival. */
  readonly dialect: Dialect;
  /** The same connection without the query builder; its callers wait in the same order. */
  readonly direct: DirectAccess;
  /**
   * Loads a library of functions into the connection.
   * @param file - path of the library
   * @throws an error of the engine when it cannot be loaded
   */
  loadExtension(file: string): void;
}

/** Durability of a database, and the form of its integers. */
export interface SqliteDialectOptions {
  readonly durability: Durability;
  /** Returns integers as `bigint`. */
  readonly safeIntegers?: boolean | undefined;
  /** Replaces the flush of the log, to test its delays and failures. */
  readonly flushFile?: FlushFile | undefined;
}

/**
 * Opens a database.
 * @param file - absolute path, or `:memory:`
 * @param options - durability and the form of integers
 * @throws StoreUnavailableError when it cannot be opened
 */
export async function openSqliteDialect(
  file: string,
  { durability, safeIntegers = false, flushFile }: SqliteDialectOptions,
): Promise<OpenSqlite> {
  const database = openSqlite(file, durability);
  try {
    database.defaultSafeIntegers(safeIntegers);
    const isFlushed = durability === "power" && hasLog(database);
    const flush = isFlushed ? await LogFlush.open(file, flushFile) : undefined;
    const driver = new SqliteDriver(new SqliteStatements(database, file, flush));
    return {
      dialect: dialectOf(database, driver),
      direct: driver,
      loadExtension: (library) => void database.loadExtension(library),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Returns a kysely dialect over one open SQLite connection. Callers use it one at a time, in order
 * of arrival.
 * @param database - from {@link openSqlite}
 * @param file - the database, for messages
 * @param flush - makes commits durable; without it they are as durable as the engine makes them
 */
export function sqliteDialect(
  database: BetterSqlite.Database,
  file: string,
  flush?: LogFlush,
): Dialect {
  return dialectOf(database, new SqliteDriver(new SqliteStatements(database, file, flush)));
}

function dialectOf(database: BetterSqlite.Database, driver: SqliteDriver): Dialect {
  // The engine would block the whole process; the connection waits for locks by itself.
  database.pragma("busy_timeout = 0");
  return dialectWith(driver);
}

function dialectWith(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
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
  /** Set while a transaction has written something. */
  #hasWritten = false;
  readonly flush: LogFlush | undefined;

  constructor(database: BetterSqlite.Database, file: string, flush: LogFlush | undefined) {
    this.#database = database;
    this.#file = file;
    this.flush = flush;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  run(sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> {
    try {
      const statement = this.#prepare(sql);
      const result = resultOf(statement, parameters);
      if (!statement.readonly) this.#wrote();
      return result;
    } catch (error) {
      throw translateSqliteError(this.#file, error);
    }
  }

  begin(): void {
    // Immediate: a transaction that reads first could otherwise fail at its first write.
    this.run("begin immediate");
    this.#hasWritten = false;
  }

  commit(): void {
    const hasWritten = this.#hasWritten;
    this.run("commit");
    if (hasWritten) this.flush?.committed();
  }

  rollback(): void {
    // A full disk or a read error has already rolled back the transaction.
    if (this.inTransaction) this.run("rollback");
  }

  close(): void {
    this.#database.close();
  }

  #wrote(): void {
    if (this.inTransaction) this.#hasWritten = true;
    else this.flush?.committed();
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

function resultOf(
  statement: BetterSqlite.Statement<unknown[]>,
  parameters: readonly unknown[],
): QueryResult<unknown> {
  if (statement.reader) return { rows: statement.all(...parameters) };
  const { changes } = statement.run(...parameters);
  return { rows: [], numAffectedRows: BigInt(changes) };
}

/** Connection of one caller, for the duration of its turn. */
class SqliteConnection implements DatabaseConnection, OpenTransaction {
  readonly #statements: SqliteStatements;
  readonly #release: () => void;
  #ended = false;
  #builder: Kysely<Schema> | undefined;

  constructor(statements: SqliteStatements, release: () => void) {
    this.#statements = statements;
    this.#release = release;
  }

  // Rows have the types the query builder inferred from the schema; the engine cannot know them.
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const run = () => this.run(query) as QueryResult<Row>;
    // Inside a transaction the lock is already held.
    return this.#statements.inTransaction ? run() : await whenFree(run);
  }

  run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    if (this.#ended) {
      throw new TransactionMisuseError(
        "store: a call begun inside a transaction was still waiting when the transaction ended, and was not run; " +
          "await every call before the work function returns or throws",
      );
    }
    return this.#statements.run(sql, parameters);
  }

  query(): Kysely<Schema> {
    this.#builder ??= new Kysely({ dialect: dialectWith(new OneConnection(this)) });
    return this.#builder;
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  async begin(): Promise<void> {
    await whenFree(() => this.#statements.begin());
  }

  commit(): void {
    this.#ended = true;
    this.#statements.commit();
  }

  rollback(): void {
    this.#ended = true;
    this.#statements.rollback();
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

/** Gives a query builder the connection of a transaction that is open. */
class OneConnection implements Driver {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return this.#connection;
  }

  beginTransaction(): Promise<void> {
    return Promise.reject(new Error("store: a transaction is open already"));
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class SqliteDriver implements Driver, DirectAccess {
  readonly #statements: SqliteStatements;
  readonly #mutex = new Mutex();

  constructor(statements: SqliteStatements) {
    this.#statements = statements;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    const release = await this.#mutex.acquire();
    try {
      this.#statements.flush?.requireIntact();
    } catch (error) {
      release();
      throw error;
    }
    return new SqliteConnection(this.#statements, release);
  }

  async run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const connection = await this.acquireConnection();
    try {
      return await connection.executeQuery(query);
    } finally {
      await this.releaseConnection(connection);
    }
  }

  async transaction<T>(work: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    const connection = await this.acquireConnection();
    try {
      await connection.begin();
      try {
        const result = await work(connection);
        connection.commit();
        return result;
      } catch (error) {
        connection.rollback();
        throw error;
      }
    } finally {
      await this.releaseConnection(connection);
    }
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
    // The next caller may commit meanwhile. Readers wait too: what they saw must not be lost.
    await this.#statements.flush?.durable();
  }

  async destroy(): Promise<void> {
    await this.#mutex.acquire();
    await this.#statements.flush?.close();
    this.#statements.close();
  }
}
