import BetterSqlite from "better-sqlite3";
import { RowConstraintError, StoreUnavailableError, type UnavailableReason } from "../errors.js";
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
/**
 * Size of the write-ahead log, in pages, that starts a checkpoint, during which all other work
 * waits for the disk: 16 MiB, four times SQLite's default. Pages that every turn writes are then
 * copied once for many turns.
 */
const CHECKPOINT_PAGES = 4000;

/**
 * Memory for pages of a database, in KiB; the default of the library is four times as much. The pages that turns write
 * fit in it, and any other is in the cache of the operating system.
 */
const PAGE_CACHE_KIB = 4000;

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
 * Opens a SQLite database in write-ahead mode, where a commit only writes to the log. What makes it durable
 * is a flush of the log: `power` needs a {@link LogFlush} in addition to the connection, `process` does without.
 * Where the file system has no write-ahead mode, `power` flushes inside each commit.
 * @param file - absolute path, or `:memory:`
 * @param durability - failure that acknowledged rows survive
 * @param image - initial content of a database in memory; empty when absent
 * @throws StoreUnavailableError when the file cannot be opened or is not a database
 */
export function openSqlite(
  file: string,
  durability: Durability,
  image?: Buffer,
): BetterSqlite.Database {
  try {
    const database = new BetterSqlite(image ?? file, { timeout: BUSY_TIMEOUT_MS });
    try {
      database.pragma("journal_mode = wal");
      const flushesCommits = durability === "power" && !hasLog(database);
      // Normal flushes the log before a checkpoint, and the database before the log restarts.
      database.pragma(`synchronous = ${flushesCommits ? "full" : "normal"}`);
      // Effective only on macOS, where an ordinary sync stops at the drive's cache.
      database.pragma(`fullfsync = ${durability === "power"}`);
      database.pragma(`checkpoint_fullfsync = ${durability === "power"}`);
      database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      database.pragma(`cache_size = -${PAGE_CACHE_KIB}`);
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
 * Returns whether a database has a write-ahead log, as no database in memory and none on some network file
 * systems has.
 * @param database - an open database
 */
export function hasLog(database: BetterSqlite.Database): boolean {
  return database.pragma("journal_mode", { simple: true }) === "wal";
}
