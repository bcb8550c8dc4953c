import { Mutex } from "@openclaw/foundation";
import type { CompiledQuery, QueryResult } from "kysely";
import { TransactionMisuseError } from "../../errors.js";

/** Operations of an engine that a transaction uses, on its own connection. */
export interface TransactionEngine<Connection> {
  /**
   * Begins a transaction on a connection and runs its first statement, in one round trip.
   * @param query - the statement
   * @param session - session of the transaction; undefined for one that runs alone
   * @returns the connection and the result of the statement
   * @throws StoreUnavailableError when the transaction could not begin
   */
  beginWith<Row>(
    query: CompiledQuery,
    session: string | undefined,
  ): Promise<{ client: Connection; result: PromiseSettledResult<QueryResult<Row>> }>;
  /** Runs a statement on a connection. */
  run<Row>(client: Connection, query: CompiledQuery): Promise<QueryResult<Row>>;
  /**
   * Commits the transaction of a connection.
   * @throws StoreUnavailableError with reason `unreachable` when nothing was committed, with
   *   `outcome-unknown` when the server could not be asked
   */
  commit(client: Connection): Promise<void>;
  /** Rolls the transaction of a connection back; it rejects when the connection is lost. */
  rollback(client: Connection): Promise<void>;
  /**
   * Takes a connection back.
   * @param isFree - false when its state is unknown, so that it is not used again
   */
  release(client: Connection, isFree: boolean): void;
  /** Converts an error of the engine to a store error; returns any other error unchanged. */
  translate(error: unknown): unknown;
}

/** A transaction on its own connection. It ends once; later calls fail. */
export class SerializedTransaction<Connection> {
  readonly #engine: TransactionEngine<Connection>;
  readonly #endTurn: () => void;
  readonly #session: string | undefined;
  readonly #statements = new Mutex();
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  /** Connection of the transaction; set by the first statement. */
  #client: Connection | undefined;
  /** State of the connection; one in an unknown state is not used again. */
  #connection: "begun" | "free" | "unknown" = "begun";

  /**
   * @param endTurn - lets the next writer begin
   * @param session - session of the transaction; undefined for one that runs alone
   */
  constructor(engine: TransactionEngine<Connection>, endTurn: () => void, session?: string) {
    this.#engine = engine;
    this.#endTurn = endTurn;
    this.#session = session;
  }

  /**
   * Runs a statement after the previous ones.
   * @throws TransactionMisuseError when the transaction has ended, or one of its statements has
   *   failed
   * @throws StoreUnavailableError when the connection is lost, or other hosts write for too long;
   *   nothing of the transaction is committed
   */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const endStatement = await this.#statements.acquire();
    try {
      if (this.#ended) throw lateError();
      if (this.#failure !== undefined) throw failedError(this.#failure.error);
      return await this.#run<Row>(query);
    } catch (error) {
      const translated = this.#engine.translate(error);
      this.#failure ??= { error: translated };
      throw translated;
    } finally {
      endStatement();
    }
  }

  /**
   * Commits the transaction.
   * @throws TransactionMisuseError when a statement has failed and its error was caught
   * @throws StoreUnavailableError as {@link TransactionEngine.commit}
   */
  async commit(): Promise<void> {
    await this.#end();
    if (this.#failure !== undefined) throw failedError(this.#failure.error);
    if (this.#client === undefined) return;
    this.#connection = "unknown";
    await this.#engine.commit(this.#client);
    this.#connection = "free";
  }

  /**
   * Rolls back the transaction. If the server cannot be reached, closing the connection rolls it
   * back.
   */
  async rollback(): Promise<void> {
    await this.#end();
    if (this.#client === undefined || this.#connection !== "begun") return;
    this.#connection = "unknown";
    await this.#engine.rollback(this.#client).then(
      () => {
        this.#connection = "free";
      },
      () => undefined,
    );
  }

  /** Releases the connection and lets the next writer begin. */
  release(): void {
    this.#ended = true;
    if (this.#client !== undefined) {
      this.#engine.release(this.#client, this.#connection === "free");
    }
    this.#endTurn();
  }

  async #run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#client !== undefined) return await this.#engine.run<Row>(this.#client, query);
    const { client, result } = await this.#engine.beginWith<Row>(query, this.#session);
    this.#client = client;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  }

  async #end(): Promise<void> {
    this.#ended = true;
    const endStatement = await this.#statements.acquire();
    endStatement();
  }
}

function lateError(): TransactionMisuseError {
  return new TransactionMisuseError(
    "store: a call begun inside a transaction was still waiting when the transaction ended, and was not run; " +
      "await every call before the work function returns or throws",
  );
}

function failedError(cause: unknown): TransactionMisuseError {
  return new TransactionMisuseError(
    "store: a statement of the transaction failed and its error was caught, so the transaction was rolled back; " +
      "let the error leave the work function, or do that step in a separate transaction",
    { cause },
  );
}
