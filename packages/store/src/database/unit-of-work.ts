import { AsyncLocalStorage } from "node:async_hooks";
import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import { StoreClosedError, TransactionMisuseError } from "../errors.js";
import type { JournalCipher } from "./journal-cipher.js";
import type { Schema } from "./schema.js";
import { storeNotices } from "./stored-notices.js";
import { DatabaseTopics, type Topics, TransactionTopics } from "./topics.js";
import { beginOfSession, workOfTransaction } from "./transaction-session.js";

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
  /** ID of the node that this process is; undefined for a host that has the database alone. */
  readonly nodeId: string | undefined;
  /** Encrypts the steps of turns; undefined stores them as they are. */
  readonly journalCipher?: JournalCipher | undefined;
  /** Notices to other parts of this process, delivered after the commit. */
  readonly topics: Topics;
  /**
   * Runs several statements atomically. Inside a transaction they join it; when they fail, the
   * whole transaction can no longer commit.
   * @param session - session whose rows alone the statements change, sums aside that one statement adds to; transactions of
   *   different sessions may run at once
   */
  atomic<T>(work: (unit: UnitOfWork) => Promise<T>, session?: string): Promise<T>;
  /**
   * Marks a transaction as one that erases content: when its commit has succeeded, the erased content is removed from
   * the files of the database too, before {@link UnitOfWork.atomic} resolves (TURN-024).
   * @throws TransactionMisuseError outside a transaction
   */
  erases(): void;
  /**
   * Waits for work in progress, then closes the database. A second call joins the first.
   * @param last - statements that are still accepted, on a unit that is given to them; none when absent
   * @throws TransactionMisuseError inside a transaction
   */
  close(last?: (unit: UnitOfWork) => Promise<void>): Promise<void>;
}

/**
 * Reads the clock of a database.
 * @param query - the query builder to use
 */
export type DatabaseClock = (query: Kysely<Schema>) => Promise<number>;

/** A transaction that is open. */
export interface OpenTransaction {
  /** Returns its query builder. */
  query(): Kysely<Schema>;
  /** Runs a compiled query in it. */
  run(query: CompiledQuery): QueryResult<unknown> | Promise<QueryResult<unknown>>;
}

/**
 * Access to a database without the way through the query builder, which takes longer than most compiled queries
 * run.
 */
export interface DirectAccess {
  /** Runs a compiled query outside of transactions. */
  run(query: CompiledQuery): Promise<QueryResult<unknown>>;
  /**
   * Runs work in a transaction, which commits when the promise of `work` resolves, and rolls back when it
   * rejects.
   * @param session - as for {@link UnitOfWork.atomic}; an engine with one writer ignores it
   * @returns the result of the work, when the commit is as durable as the database makes it
   */
  transaction<T>(work: (transaction: OpenTransaction) => Promise<T>, session?: string): Promise<T>;
  /**
   * Removes content that earlier transactions erased from the files of the database. When another reader of the
   * database prevents it for long, it is done at the end of a later transaction.
   */
  purge(): Promise<void>;
  /** Waits for work in progress, then closes the database. The query builder closes only what it has used. */
  close(): Promise<void>;
}

/** The database, outside of transactions. */
export class DatabaseUnit implements UnitOfWork {
  readonly now: () => number;
  readonly compiled = new WeakMap<object, CompiledQuery>();
  readonly journalCipher: JournalCipher | undefined;
  readonly nodeId: string | undefined;
  readonly topics: DatabaseTopics;
  readonly #clock: DatabaseClock;
  readonly #database: Kysely<Schema>;
  readonly #direct: DirectAccess;
  readonly #running = new AsyncLocalStorage<TransactionUnit>();
  #closing: Promise<void> | undefined;

  /**
   * @param database - the query builder
   * @param now - the store's clock
   * @param clock - the database's clock; an embedded database uses the store's clock
   * @param direct - access without the query builder; through it when absent
   * @param journalCipher - encrypts the steps of turns
   * @param nodeId - ID of the node that this process is
   */
  constructor(
    database: Kysely<Schema>,
    now: () => number,
    clock: DatabaseClock = async () => now(),
    direct: DirectAccess = throughBuilder(database),
    journalCipher?: JournalCipher,
    nodeId?: string,
  ) {
    this.#database = database;
    this.now = now;
    this.#clock = clock;
    this.#direct = direct;
    this.journalCipher = journalCipher;
    this.nodeId = nodeId;
    this.topics = new DatabaseTopics(async (notices) => {
      if (nodeId !== undefined) await this.atomic((unit) => storeNotices(unit, notices));
    });
  }

  // Rows have the types of the compiled query; the engine cannot know them.
  async run<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    this.#refuseMisuse();
    return (await this.#direct.run(query)) as QueryResult<Row>;
  }

  async clock(): Promise<number> {
    return await this.#clock(this.query());
  }

  query(): Kysely<Schema> {
    this.#refuseMisuse();
    return this.#database;
  }

  async atomic<T>(work: (unit: UnitOfWork) => Promise<T>, session?: string): Promise<T> {
    this.#refuseMisuse();
    let ended: TransactionUnit | undefined;
    // Notices are read in the order of their numbers, which is that of the commits only where one commits after another.
    const storesNotices = session === undefined;
    const result = await this.#direct.transaction(async (transaction) => {
      const unit = new TransactionUnit(transaction, this, this.#clock);
      ended = unit;
      return await this.#running.run(unit, () => unit.perform(work, storesNotices));
    }, session);
    if (ended !== undefined) this.topics.committed(ended.topics.notices, storesNotices);
    if (ended?.isErasing === true) await this.#direct.purge();
    return result;
  }

  erases(): never {
    throw new TransactionMisuseError(
      "store: erases() was called outside a transaction; call it on the unit that atomic() provides",
    );
  }

  async close(last?: (unit: UnitOfWork) => Promise<void>): Promise<void> {
    this.#refuseOwnTransaction();
    this.#closing ??= this.#close(last);
    await this.#closing;
  }

  async #close(last: ((unit: UnitOfWork) => Promise<void>) | undefined): Promise<void> {
    // This unit rejects calls from now on.
    const { now, journalCipher, nodeId } = this;
    const own = [this.#database, now, this.#clock, this.#direct, journalCipher, nodeId] as const;
    await last?.(new DatabaseUnit(...own));
    await this.#direct.close();
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
  readonly journalCipher: JournalCipher | undefined;
  readonly nodeId: string | undefined;
  readonly topics = new TransactionTopics(() => this.#refuseEnded());
  readonly #clock: DatabaseClock;
  readonly #transaction: OpenTransaction;
  #open = true;
  #isErasing = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    transaction: OpenTransaction,
    {
      now,
      compiled,
      journalCipher,
      nodeId,
    }: Pick<UnitOfWork, "now" | "compiled" | "journalCipher" | "nodeId">,
    clock: DatabaseClock,
  ) {
    this.#transaction = transaction;
    this.now = now;
    this.compiled = compiled;
    this.journalCipher = journalCipher;
    this.nodeId = nodeId;
    this.#clock = clock;
  }

  async clock(): Promise<number> {
    return await this.#clock(this.query());
  }

  // Rows have the types of the compiled query; the engine cannot know them.
  async run<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    this.#refuseEnded();
    return (await this.#transaction.run(query)) as QueryResult<Row>;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get isErasing(): boolean {
    return this.#isErasing;
  }

  erases(): void {
    this.#isErasing = true;
  }

  query(): Kysely<Schema> {
    this.#refuseEnded();
    return this.#transaction.query();
  }

  #refuseEnded(): void {
    if (this.#open) return;
    throw new StoreClosedError(
      "the store of a transaction",
      "it is valid only inside the work function; use the store that began the transaction",
    );
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

  async perform<T>(work: (unit: UnitOfWork) => Promise<T>, storesNotices: boolean): Promise<T> {
    try {
      const result = await work(this);
      const { notices } = this.topics;
      if (storesNotices && this.#failure === undefined && notices.length > 0) {
        await storeNotices(this, notices);
      }
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

/**
 * Returns access through the query builder, for an engine that has no faster way.
 * @param database - the query builder
 */
export function throughBuilder(database: Kysely<Schema>): DirectAccess {
  return {
    run: (query) => database.executeQuery(query),
    close: () => database.destroy(),
    // A server keeps old versions of rows until it vacuums them.
    purge: async () => {},
    transaction: (work, session) =>
      beginOfSession(session, () =>
        database.transaction().execute((transaction) =>
          workOfTransaction(() =>
            work({
              query: () => transaction,
              run: (query) => transaction.executeQuery(query),
            }),
          ),
        ),
      ),
  };
}
