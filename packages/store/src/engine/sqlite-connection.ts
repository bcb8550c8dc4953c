import { setTimeout as delay } from "node:timers/promises";
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
import type { OpenTransaction } from "../database/unit-of-work.js";
import { StoreUnavailableError, TransactionMisuseError } from "../errors.js";
import type { SqliteStatements } from "./sqlite-statements.js";

const BUSY_TIMEOUT_MS = 5000;
const BUSY_RETRY_MS = 5;

/**
 * Returns a kysely dialect over a driver.
 * @param driver - orders the work of its callers itself
 */
export function dialectWith(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TurnTakingAdapter(),
    createIntrospector: (builder) => new SqliteIntrospector(builder),
  };
}

/** For a driver that orders the work itself, so that closing can wait for work in progress. */
export class TurnTakingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Connection of one caller, for the duration of its turn. */
export class SqliteConnection implements DatabaseConnection, OpenTransaction {
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
