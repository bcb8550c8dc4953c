import type {
  CompiledQuery,
  DatabaseConnection,
  DatabaseIntrospector,
  Dialect,
  DialectAdapter,
  Driver,
  Kysely,
  QueryCompiler,
  QueryResult,
} from "kysely";
import { sessionOfBegin } from "../../database/transaction-session.js";
import type { SerializedTransaction } from "./transaction.js";

/** Engine whose calls are asynchronous: reads need no transaction, and writers wait for each other. */
export interface SerializedEngine<Connection> {
  /** Runs a query that only reads. */
  read<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  /**
   * Begins a transaction once those that it waits for have ended.
   * @param session - session whose rows it changes, and no other transaction meanwhile; undefined for one that runs alone
   */
  begin(session?: string): Promise<SerializedTransaction<Connection>>;
  /** Waits for work in progress, then closes every connection. */
  close(): Promise<void>;
}

/** Parts of a kysely dialect that depend on the language of the engine. */
export interface DialectWords {
  readonly compiler: () => QueryCompiler;
  readonly adapter: () => DialectAdapter;
  readonly introspector: (builder: Kysely<unknown>) => DatabaseIntrospector;
}

/**
 * Returns a kysely dialect over an engine.
 * @param engine - runs the compiled queries
 * @param words - language of the engine
 */
export function serializedDialect<Connection>(
  engine: SerializedEngine<Connection>,
  { compiler, adapter, introspector }: DialectWords,
): Dialect {
  return {
    createDriver: () => new SerializedDriver(engine),
    createQueryCompiler: compiler,
    createAdapter: adapter,
    createIntrospector: introspector,
  };
}

/** Connection of one caller, for a single statement or a transaction. */
class SerializedConnection<Connection> implements DatabaseConnection {
  readonly #engine: SerializedEngine<Connection>;
  #transaction: SerializedTransaction<Connection> | undefined;

  constructor(engine: SerializedEngine<Connection>) {
    this.#engine = engine;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction !== undefined) return await this.#transaction.run<Row>(query);
    if (query.query.kind === "SelectQueryNode") return await this.#engine.read<Row>(query);
    // Without a transaction, a write could interleave with transactions that are still running.
    const transaction = await this.#engine.begin();
    try {
      const result = await transaction.run<Row>(query);
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollback();
      throw error;
    } finally {
      transaction.release();
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#engine.begin(sessionOfBegin());
  }

  async commit(): Promise<void> {
    await this.#transaction?.commit();
  }

  async rollback(): Promise<void> {
    await this.#transaction?.rollback();
  }

  release(): void {
    this.#transaction?.release();
  }
}

class SerializedDriver<Connection> implements Driver {
  readonly #engine: SerializedEngine<Connection>;
  #acquired = 0;
  #idle: () => void = () => {};

  constructor(engine: SerializedEngine<Connection>) {
    this.#engine = engine;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SerializedConnection<Connection>> {
    this.#acquired += 1;
    return new SerializedConnection(this.#engine);
  }

  async beginTransaction(connection: SerializedConnection<Connection>): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: SerializedConnection<Connection>): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: SerializedConnection<Connection>): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: SerializedConnection<Connection>): Promise<void> {
    connection.release();
    this.#acquired -= 1;
    if (this.#acquired === 0) this.#idle();
  }

  async destroy(): Promise<void> {
    if (this.#acquired > 0) {
      await new Promise<void>((idle) => {
        this.#idle = idle;
      });
    }
    await this.#engine.close();
  }
}
