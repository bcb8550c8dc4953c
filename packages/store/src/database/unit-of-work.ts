import { AsyncLocalStorage } from "node:async_hooks";
import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import { StoreClosedError, TransactionMisuseError } from "../errors.js";
import type { Schema } from "./schema.js";

/** Database access of the repositories: the database itself, or one of its transactions. */
export interface UnitOfWork {
  /** Returns the time of the store's clock, in milliseconds since the epoch. */
  now(): number;
  /**
   * Returns the time of the database's clock, in milliseconds since the epoch. Expiry, lease and due times
   * are compared with it, so that hosts whose own clocks differ get the same result (SCALE-004).
   */
  clock(): Promise<number>;
  /**
   * Returns the query builder.
   * @throws StoreClosedError when the store was closed or the transaction has ended
   * @throws TransactionMisuseError when the database is used from inside its own transaction
   */
  query(): Kysely<Schema>;
  /**
   * Runs a compiled query.
   * @throws what {@link UnitOfWork.query} throws
   */
  run<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
  /** Compiled queries in the dialect of this database, by the function that builds them. */
  readonly compiled: WeakMap<object, CompiledQuery>;
  /**
   * Runs several statements atomically. Inside a transaction they join it; when they fail, the
   * whole transaction can no longer commit.
   */
  atomic<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
  /**
   * Waits for work in progress, then closes the database. A second call joins the first.
   * @throws TransactionMisuseError inside a transaction
   */
  close(): Promise<void>;
}

/**
 * Reads the clock of a database.
 * @param query - the query builder to use
 */
export type DatabaseClock = (query: Kysely<Schema>) => Promise<number>;

/**
 * Runs a compiled query in the transaction that is open, without the way through the query builder, which takes
 * longer than most queries run.
 */
export type RunInTransaction = (query: CompiledQuery) => QueryResult<unknown>;

/** The database, outside of transactions. */
export class DatabaseUnit implements UnitOfWork {
  readonly now: () => number;
  readonly compiled = new WeakMap<object, CompiledQuery>();
  readonly #clock: DatabaseClock;
  readonly #database: Kysely<Schema>;
  readonly #runInTransaction: RunInTransaction | undefined;
  readonly #running = new AsyncLocalStorage<TransactionUnit>();
  #closing: Promise<void> | undefined;

  /**
   * @param database - the query builder
   * @param now - the store's clock
   * @param clock - the database's clock; an embedded database uses the store's clock
   * @param runInTransaction - runs work in the transaction of an engine that has one transaction at a time
   */
  constructor(
    database: Kysely<Schema>,
    now: () => number,
    clock: DatabaseClock = async () => now(),
    runInTransaction?: RunInTransaction,
  ) {
    this.#database = database;
    this.now = now;
    this.#clock = clock;
    this.#runInTransaction = runInTransaction;
  }

  async run<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    return await this.query().executeQuery(query);
  }

  async clock(): Promise<number> {
    return await this.#clock(this.query());
  }

  query(): Kysely<Schema> {
    this.#refuseMisuse();
    return this.#database;
  }

  async atomic<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    this.#refuseMisuse();
    return await this.#database.transaction().execute(async (transaction) => {
      const unit = new TransactionUnit(transaction, this, this.#clock, this.#runInTransaction);
      return await this.#running.run(unit, () => unit.perform(work));
    });
  }

  async close(): Promise<void> {
    this.#refuseOwnTransaction();
    this.#closing ??= this.#database.destroy();
    await this.#closing;
  }

  #refuseMisuse(): void {
    if (this.#closing !== undefined) {
      throw new StoreClosedError("the store", "open it again with openStore");
    }
    this.#refuseOwnTransaction();
  }

  // The transaction keeps the connection until its work ends, so its work would wait for itself.
  #refuseOwnTransaction(): void {
    if (this.#running.getStore()?.isOpen === true) {
      throw new TransactionMisuseError(
        "store: the store was used inside its own transaction, which would wait for itself forever;  " +
          "inside the work function, use the store that it receives",
      );
    }
  }
}

/** One transaction. */
class TransactionUnit implements UnitOfWork {
  readonly now: () => number;
  readonly compiled: WeakMap<object, CompiledQuery>;
  readonly #clock: DatabaseClock;
  readonly #transaction: Kysely<Schema>;
  readonly #runInTransaction: RunInTransaction | undefined;
  #open = true;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    transaction: Kysely<Schema>,
    { now, compiled }: Pick<UnitOfWork, "now" | "compiled">,
    clock: DatabaseClock,
    runInTransaction: RunInTransaction | undefined,
  ) {
    this.#runInTransaction = runInTransaction;
    this.#transaction = transaction;
    this.now = now;
    this.compiled = compiled;
    this.#clock = clock;
  }

  async clock(): Promise<number> {
    return await this.#clock(this.query());
  }

  // Rows have the types of the compiled query; the engine cannot know them.
  async run<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    const transaction = this.query();
    if (this.#runInTransaction === undefined) return await transaction.executeQuery(query);
    return this.#runInTransaction(query) as QueryResult<Row>;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  query(): Kysely<Schema> {
    if (!this.#open) {
      throw new StoreClosedError(
        "the store of a transaction",
        "it is valid only inside the work function; use the store that began the transaction",
      );
    }
    return this.#transaction;
  }

  async atomic<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    try {
      return await work(this);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  async close(): Promise<void> {
    throw new TransactionMisuseError(
      "store: close() was called on the store of a transaction; close the store that began it, after it ended",
    );
  }

  async perform<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    try {
      const result = await work(this);
      if (this.#failure !== undefined) {
        throw new TransactionMisuseError(
          "store: a step of the transaction failed and its error was caught, so the transaction was rolled back; " +
            "let the error leave the work function, or do that step in a separate transaction",
          { cause: this.#failure.error },
        );
      }
      return result;
    } finally {
      this.#open = false;
    }
  }
}
