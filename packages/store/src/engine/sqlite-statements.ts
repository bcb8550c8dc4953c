import type BetterSqlite from "better-sqlite3";
import type { QueryResult } from "kysely";
import type { LogFlush } from "./log-flush.js";
import { hasLog, translateSqliteError } from "./sqlite.js";

const MAX_CACHED_STATEMENTS = 256;

/** Prepares each statement once; preparing costs several times more than running. */
export class SqliteStatements {
  readonly #database: BetterSqlite.Database;
  readonly #file: string;
  readonly #prepared = new Map<string, BetterSqlite.Statement<unknown[]>>();
  /** Set while a transaction has written something. */
  #hasWritten = false;
  readonly flush: LogFlush | undefined;
  /** Called after each commit that may have written. */
  onCommit: (() => void) | undefined;

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
    if (hasWritten) this.#committed();
  }

  rollback(): void {
    // A full disk or a read error has already rolled back the transaction.
    if (this.inTransaction) this.run("rollback");
  }

  /**
   * Moves the content of the write-ahead log to the database, and empties the log: it keeps what later commits have
   * overwritten or erased.
   * @returns false when another connection reads the log, or the disk fails
   */
  emptyLog(): boolean {
    if (!hasLog(this.#database)) return true;
    try {
      // The first column of the result is 1 when the log could not be emptied.
      return this.#database.pragma("wal_checkpoint(truncate)", { simple: true }) === 0;
    } catch {
      // The transaction before has succeeded and must not be reported as failed; checks of the database name the disk.
      return false;
    }
  }

  close(): void {
    this.#database.close();
  }

  #wrote(): void {
    if (this.inTransaction) this.#hasWritten = true;
    else this.#committed();
  }

  #committed(): void {
    this.flush?.committed();
    this.onCommit?.();
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
