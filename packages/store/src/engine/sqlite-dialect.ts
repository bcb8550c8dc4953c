import { setTimeout as delay } from "node:timers/promises";
import { Mutex } from "@openclaw/foundation";
import type BetterSqlite from "better-sqlite3";
import type { CompiledQuery, Dialect, Driver, QueryResult } from "kysely";
import type { DirectAccess, OpenTransaction } from "../database/unit-of-work.js";
import { type FlushFile, LogFlush } from "./log-flush.js";
import { type Durability, hasLog, openSqlite } from "./sqlite.js";
import { dialectWith, SqliteConnection } from "./sqlite-connection.js";
import { SqliteStatements } from "./sqlite-statements.js";

/** Longest wait for other readers of the log, for example a backup, in milliseconds. */
const PURGE_TIMEOUT_MS = 500;
const PURGE_RETRY_MS = 20;

/** An open database. */
export interface OpenSqlite {
  /** Callers use the connection one at a time, in order of arrival. */
  readonly dialect: Dialect;
  /** The same connection without the query builder; its callers wait in the same order. */
  readonly direct: DirectAccess;
  /** Calls a function after each commit that may have written, which must return at once. */
  onCommit(listener: () => void): void;
  /** Returns the content of the database, as the file of one. */
  serialize(): Buffer;
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
  /** Initial content of a database in memory; empty when absent. */
  readonly image?: Buffer | undefined;
}

/**
 * Opens a database.
 * @param file - absolute path, or `:memory:`
 * @param options - durability and the form of integers
 * @throws StoreUnavailableError when it cannot be opened
 */
export async function openSqliteDialect(
  file: string,
  { durability, safeIntegers = false, flushFile, image }: SqliteDialectOptions,
): Promise<OpenSqlite> {
  const database = openSqlite(file, durability, image);
  try {
    database.defaultSafeIntegers(safeIntegers);
    const isFlushed = durability === "power" && hasLog(database);
    const flush = isFlushed ? await LogFlush.open(file, flushFile) : undefined;
    const statements = new SqliteStatements(database, file, flush);
    const driver = new SqliteDriver(statements);
    return {
      dialect: dialectOf(database, driver),
      direct: driver,
      onCommit(listener) {
        statements.onCommit = listener;
      },
      serialize: () => database.serialize(),
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

class SqliteDriver implements Driver, DirectAccess {
  readonly #statements: SqliteStatements;
  readonly #mutex = new Mutex();
  /** Time of the next attempt, on the clock of `performance`, while a purge is due that another reader prevented. */
  #nextPurge: number | undefined;
  #closing: Promise<void> | undefined;

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
      if (performance.now() >= (this.#nextPurge ?? Infinity)) await this.#emptyLog();
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
    await this.close();
  }

  async purge(): Promise<void> {
    const until = performance.now() + PURGE_TIMEOUT_MS;
    while (!(await this.#emptyLog()) && performance.now() < until) await delay(PURGE_RETRY_MS);
  }

  async #emptyLog(): Promise<boolean> {
    const connection = await this.acquireConnection();
    try {
      const isEmpty = this.#statements.emptyLog();
      this.#nextPurge = isEmpty ? undefined : performance.now() + PURGE_TIMEOUT_MS;
      return isEmpty;
    } finally {
      await this.releaseConnection(connection);
    }
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    await this.#mutex.acquire();
    await this.#statements.flush?.close();
    this.#statements.close();
  }
}
