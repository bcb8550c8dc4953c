import { setTimeout as delay } from "node:timers/promises";
import type { Client, InArgs, InStatement, ResultSet, Transaction } from "@libsql/client";
import { errorMessage, Mutex } from "@openclaw/foundation";
import type { CompiledQuery, QueryResult } from "kysely";
import { RowConstraintError, StoreUnavailableError } from "../../errors.js";
import type { LogFlush } from "../log-flush.js";
import type { SerializedEngine } from "../serialized/dialect.js";
import { SerializedTransaction, type TransactionEngine } from "../serialized/transaction.js";
import { isBusy, translateLibsqlError } from "./errors.js";
import type { LibsqlHost } from "./host.js";

const BUSY_TIMEOUT_MS = 5000;
const BUSY_RETRY_MS = 5;
/** Longest wait for other readers of the log, for example a backup, in milliseconds. */
const PURGE_TIMEOUT_MS = 500;
const PURGE_RETRY_MS = 20;
/** Statements that cannot write; any other one counts as a write. */
const READING = /^\s*(?:select|values|explain|pragma)\b/i;

/** Options of a connection. */
export interface LibsqlConnectionOptions {
  /** The database, for messages. */
  readonly name: string;
  /** Opens another client, with the settings of the first. */
  readonly open: () => Promise<Client>;
  /** Hold of this process on a server; absent for a file. */
  readonly host?: LibsqlHost | undefined;
  /** Makes commits of a file durable; without it they are as durable as the engine makes them. */
  readonly flush?: LogFlush | undefined;
}

/** A database that libSQL opens. Writers take turns; so do readers of a file, which has one connection. */
export class LibsqlConnection
  implements TransactionEngine<Transaction>, SerializedEngine<Transaction>
{
  readonly #open: () => Promise<Client>;
  #client: Client;
  /** True when a statement has failed on the connection of a file. */
  #isSpoilt = false;
  readonly #name: string;
  readonly #host: LibsqlHost | undefined;
  readonly #flush: LogFlush | undefined;
  readonly #writers = new Mutex();
  readonly #hasWritten = new WeakSet<Transaction>();
  /** Called after each commit that may have written. */
  onCommit: (() => void) | undefined;

  /**
   * @param client - the client of a file with one connection, or of a server
   * @param options - name, how to open another client, and what makes commits durable
   */
  constructor(client: Client, { name, open, host, flush }: LibsqlConnectionOptions) {
    this.#client = client;
    this.#open = open;
    this.#name = name;
    this.#host = host;
    this.#flush = flush;
  }

  async read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#host !== undefined) return await this.#readDirectly<Row>(query);
    const endTurn = await this.#writers.acquire();
    try {
      return await this.#readDirectly<Row>(query);
    } finally {
      endTurn();
    }
  }

  async begin(): Promise<SerializedTransaction<Transaction>> {
    const endTurn = await this.#writers.acquire();
    try {
      this.#flush?.requireIntact();
    } catch (error) {
      endTurn();
      throw error;
    }
    return new SerializedTransaction<Transaction>(this, endTurn);
  }

  async beginWith<Row>(
    query: CompiledQuery,
  ): Promise<{ client: Transaction; result: PromiseSettledResult<QueryResult<Row>> }> {
    return await this.#whenFree(async () => {
      // Not deferred: a transaction that reads first could otherwise fail at its first write.
      const client = await (await this.#usable()).transaction("write");
      try {
        await this.#host?.assertHeld(client);
        const [result] = await Promise.allSettled([this.run<Row>(client, query)]);
        if (result.status === "rejected" && isBusy(result.reason)) throw result.reason;
        return { client, result };
      } catch (error) {
        client.close();
        throw error;
      }
    });
  }

  async run<Row>(client: Transaction, query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = resultOf<Row>(await this.#noting(client.execute(statementOf(query))));
    if (!READING.test(query.sql)) this.#hasWritten.add(client);
    return result;
  }

  async commit(client: Transaction): Promise<void> {
    try {
      if (this.#host === undefined) await this.#noting(client.commit());
      else await this.#host.commit(client);
    } catch (error) {
      throw this.translate(error);
    }
    if (!this.#hasWritten.has(client)) return;
    this.#flush?.committed();
    this.onCommit?.();
    // Before the next caller begins: what it sees must not be lost.
    await this.#flush?.durable();
  }

  /** Empties the log of a file, which keeps what later commits have overwritten or erased. */
  async purge(): Promise<void> {
    const until = performance.now() + PURGE_TIMEOUT_MS;
    while (!(await this.#emptyLog()) && performance.now() < until) await delay(PURGE_RETRY_MS);
  }

  async rollback(client: Transaction): Promise<void> {
    await client.rollback();
  }

  release(client: Transaction): void {
    client.close();
  }

  translate(error: unknown): unknown {
    return translateLibsqlError(this.#name, error);
  }

  async close(): Promise<void> {
    const endTurn = await this.#writers.acquire();
    await this.#host?.end();
    await this.#flush?.close();
    this.#client.close();
    endTurn();
  }

  async #emptyLog(): Promise<boolean> {
    const endTurn = await this.#writers.acquire();
    try {
      const { rows } = await (await this.#usable()).execute("pragma wal_checkpoint(truncate)");
      // The first column is 1 when another connection reads the log.
      return Number(rows[0]?.[0]) === 0;
    } catch {
      // The transaction before has succeeded and must not be reported as failed; checks of the database name the disk.
      return false;
    } finally {
      endTurn();
    }
  }

  async #readDirectly<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return await this.#whenFree(async () =>
      resultOf<Row>(await this.#noting((await this.#usable()).execute(statementOf(query)))),
    );
  }

  /**
   * Returns the client. The driver of files keeps a failed statement open for as long as it likes, and a connection with
   * one can neither commit nor see what others write: it is replaced.
   */
  async #usable(): Promise<Client> {
    if (!this.#isSpoilt) return this.#client;
    this.#client.close();
    this.#client = await this.#open();
    this.#isSpoilt = false;
    return this.#client;
  }

  async #noting<Result>(statement: Promise<Result>): Promise<Result> {
    try {
      return await statement;
    } catch (error) {
      this.#isSpoilt = this.#host === undefined;
      throw error;
    }
  }

  /** Repeats what found the database locked by another process, without blocking this one. */
  async #whenFree<Result>(work: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + BUSY_TIMEOUT_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.#isSpoilt = this.#host === undefined;
        if (!isBusy(error) || performance.now() >= until) throw this.translate(error);
        await delay(BUSY_RETRY_MS);
      }
    }
  }
}

/** Parameters are given by position, or by number as in `$2`, which is how plugins write them. */
function statementOf({ sql, parameters }: CompiledQuery): InStatement {
  const [first] = parameters;
  const isNumbered =
    parameters.length === 1 &&
    typeof first === "object" &&
    first !== null &&
    !ArrayBuffer.isView(first);
  const values: readonly unknown[] = isNumbered ? Object.values(first) : parameters;
  if (values.some((value) => typeof value === "string" && value.includes("\0"))) {
    const detail = "text with a NUL character, which libSQL would cut there";
    throw new RowConstraintError("other", detail, undefined);
  }
  // kysely does not know the types of parameters; the client checks them.
  return { sql, args: (isNumbered ? first : values.map((value) => value ?? null)) as InArgs };
}

function resultOf<Row>({ columns, rows, rowsAffected }: ResultSet): QueryResult<Row> {
  if (columns.length === 0) return { rows: [], numAffectedRows: BigInt(rowsAffected) };
  // Rows have the types that the query builder inferred from the schema; the engine cannot know them.
  return { rows: rows.map((row) => plainRow(row, columns)) as Row[] };
}

/** The client returns bytes as a buffer without a view, and rows that are also lists. */
function plainRow(row: ResultSet["rows"][number], columns: readonly string[]): object {
  return Object.fromEntries(
    columns.map((name, index) => {
      const value = row[index];
      return [name, value instanceof ArrayBuffer ? Buffer.from(value) : value];
    }),
  );
}

/**
 * Loads the client, which is an optional package.
 * @param name - the database, for the message
 * @throws StoreUnavailableError when it is not installed
 */
export async function loadLibsql(name: string): Promise<typeof import("@libsql/client")> {
  try {
    return await import("@libsql/client");
  } catch (cause) {
    // The package, or the library for this platform.
    const detail = errorMessage(cause).split("\n", 1)[0];
    throw new StoreUnavailableError(name, "not-installed", { detail, cause });
  }
}
