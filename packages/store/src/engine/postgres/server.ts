import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { CompiledQuery, QueryResult } from "kysely";
import {
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  escapeIdentifier,
  Pool,
  type PoolClient,
} from "pg";
import { currentLease } from "../../database/fence.js";
import { StaleFenceError, StoreUnavailableError } from "../../errors.js";
import type { PostgresPlace } from "../database-url.js";
import type { SerializedEngine } from "../serialized/dialect.js";
import { SerializedTransaction, type TransactionEngine } from "../serialized/transaction.js";
import { WriteTurns } from "../serialized/write-turns.js";
import type { Durability } from "../sqlite.js";
import { COMMIT_TABLE, isStaleLease, PostgresCommits } from "./commits.js";
import { isConnectionLost, translatePostgresError } from "./errors.js";
import { PostgresHold } from "./hold.js";
import { PostgresNoticeWire } from "./notice-wire.js";

const OLDEST_VERSION = 150_000;
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5000;
/** Timeout for a lock of another host; writers of one process wait for each other without it. */
const LOCK_TIMEOUT_MS = 15_000;
/**
 * Timeout for a transaction without statements: a host that stops responding must not block the others, also not until
 * their leases expire.
 */
const IDLE_TIMEOUT_MS = 5000;
const QUERY_TIMEOUT_MS = 60_000;
/** `select *`, `"table".*` and `returning *`, but not `count(*)`. */
const ALL_COLUMNS = /[\s.]\*(?=[\s,]|$)/;
const MAX_NAMED_STATEMENTS = 256;

/** Options of a server connection. */
export interface PostgresServerOptions {
  readonly place: PostgresPlace;
  readonly durability: Durability;
  /** Parsers of column values. */
  readonly types: CustomTypesConfig;
  /** Maximum number of connections; default 10. */
  readonly poolSize?: number | undefined;
  /** Excludes other hosts that also set it from the schema. */
  readonly exclusive?: boolean | undefined;
  /** Excludes only hosts that are `exclusive`: several nodes share the schema. */
  readonly isNode?: boolean | undefined;
  /** Schema with the leases of the work that writes; that of the place when absent. */
  readonly leaseSchema?: string | undefined;
  /** Time to wait for a server that must report whether a commit succeeded; default 15 s. */
  readonly patienceMs?: number | undefined;
}

/**
 * The connections to one schema of a server. Reads run concurrently. Writes run one after another, including those of other
 * hosts, so that the rows a transaction has read stay unchanged until it commits; only transactions of different sessions
 * run at once, because they change rows of their session alone, or add to a sum in one statement.
 */
export class PostgresServer implements TransactionEngine<PoolClient>, SerializedEngine<PoolClient> {
  readonly place: PostgresPlace;
  readonly #pool: Pool;
  readonly #commits: PostgresCommits;
  readonly #writers = new WriteTurns();
  readonly #used = new WeakSet<PoolClient>();
  readonly #statementNames = new Map<string, string>();
  readonly #hold: PostgresHold | undefined;
  readonly #writeLock: bigint;
  readonly #connection: ClientConfig;

  constructor(options: PostgresServerOptions) {
    const { place, durability, types, poolSize = POOL_SIZE, exclusive = false } = options;
    this.place = place;
    this.#commits = new PostgresCommits(place, options);
    this.#writeLock = lockOf(place.schema, "write");
    const connection: ClientConfig = {
      connectionString: place.connection,
      application_name: `openclaw, process ${process.pid} of ${hostname()}`.slice(0, 63),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    };
    this.#connection = connection;
    const isHeld = exclusive || options.isNode === true;
    const lock = { number: lockOf(place.schema, "host"), isShared: !exclusive };
    this.#hold = isHeld ? new PostgresHold(connection, place.name, lock) : undefined;
    this.#pool = new Pool({
      ...connection,
      options: sessionSettings(place.schema, durability),
      max: poolSize,
      types,
      pipeline: true,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    });
    // The next user of a broken connection gets the error; an error event without a listener would
    // end the process.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /**
   * Creates the schema when it does not exist.
   * @throws DatabaseInUseError when another host uses it exclusively
   * @throws StoreUnavailableError when the server cannot be reached, is too old, or denies access
   */
  async prepare(): Promise<void> {
    const { schema, name } = this.place;
    await this.#hold?.ensure();
    const { client, result } = await this.#onLiveConnection((live) =>
      live.query<{ version: number; present: boolean }>(
        `select current_setting('server_version_num')::int as version,
          exists (select from pg_namespace where nspname = $1) as present`,
        [schema],
      ),
    );
    client.release();
    const [found] = result.rows;
    if (found === undefined || found.version < OLDEST_VERSION) {
      throw new StoreUnavailableError(name, "unsupported", { detail: String(found?.version) });
    }
    // A user of a schema may lack the right to create one.
    const create = found.present ? "" : `create schema if not exists ${escapeIdentifier(schema)};`;
    await this.#locked((locked) => locked.query(`${create} ${COMMIT_TABLE}`));
  }

  /**
   * Runs a read-only query.
   * @throws StoreUnavailableError when the server cannot be reached
   */
  async read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { client, result } = await this.#onLiveConnection((live) => this.run<Row>(live, query));
    client.release();
    return result;
  }

  /**
   * Begins a transaction once those that it waits for have ended. It gets a connection with its first
   * statement.
   * @param session - session whose rows it changes; undefined for one that runs alone
   * @throws StoreUnavailableError when the server cannot be reached
   * @throws DatabaseInUseError when another host has acquired the schema in the meantime
   */
  async begin(session?: string): Promise<SerializedTransaction<PoolClient>> {
    const endTurn = await this.#writers.acquire(session);
    try {
      await this.#hold?.ensure();
      return new SerializedTransaction<PoolClient>(this, endTurn, session);
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  async beginWith<Row>(
    query: CompiledQuery,
    session: string | undefined,
  ): Promise<{ client: PoolClient; result: PromiseSettledResult<QueryResult<Row>> }> {
    return await this.#onLiveConnection(async (client) => {
      const [begun, result] = await Promise.allSettled([
        client.query(this.#beginning(session)),
        this.run<Row>(client, query),
      ]);
      if (begun.status === "rejected") throw begun.reason;
      if (result.status === "rejected" && isConnectionLost(result.reason)) throw result.reason;
      return result;
    });
  }

  /**
   * Runs a statement on a connection.
   * @param client - the connection
   * @param query - the statement
   */
  async run<Row>(client: ClientBase, query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query;
    // Only migrations and statements of plugins are plain SQL, and they have no timeout.
    const isRaw = query.query.kind === "RawNode";
    const name = isRaw ? undefined : this.#nameOf(sql);
    const statement = {
      text: sql,
      values: [...parameters],
      // Otherwise SQL without parameters could contain several statements, including a commit.
      queryMode: "extended",
      query_timeout: isRaw ? undefined : QUERY_TIMEOUT_MS,
      name,
    };
    const { command, rowCount, rows } = await client.query(statement);
    const isChange = command === "INSERT" || command === "UPDATE" || command === "DELETE";
    return isChange ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  /**
   * Commits the transaction of a connection. When the connection is lost during the commit, asks
   * the server whether it succeeded.
   * @param client - the connection
   * @throws StoreUnavailableError with reason `unreachable` when nothing was committed, with
   *   `outcome-unknown` when the server could not be asked
   * @throws StaleFenceError when the work has lost its lease; nothing was committed
   */
  async commit(client: ClientBase): Promise<void> {
    const lease = currentLease();
    const { mark, done } = this.#commits.commit(client, lease);
    try {
      await done;
    } catch (error) {
      if (lease !== undefined && isStaleLease(error)) throw new StaleFenceError(lease);
      const translated = translatePostgresError(this.place.name, error);
      if (!isConnectionLost(error)) throw translated;
      const isKept = await this.#commits.wasKept(mark, (work) => this.#locked(work));
      if (!isKept) throw translated;
    }
  }

  async rollback(client: ClientBase): Promise<void> {
    await client.query("rollback");
  }

  release(client: PoolClient, isFree: boolean): void {
    client.release(!isFree);
  }

  translate(error: unknown): unknown {
    return translatePostgresError(this.place.name, error);
  }

  /** Returns announcements to the other nodes of the schema. */
  noticeWire(): PostgresNoticeWire {
    return new PostgresNoticeWire(this.#connection, `openclaw ${this.place.schema}`, (statement) =>
      this.#pool.query(statement),
    );
  }

  /** Waits for every connection in use, then closes all connections. */
  async close(): Promise<void> {
    const endTurn = await this.#writers.acquire();
    // A mark that cannot be deleted now is deleted by another host a day later.
    await this.#locked((client) => this.#commits.forget(client)).catch(() => undefined);
    await this.#pool.end();
    await this.#hold?.release();
    endTurn();
  }

  /**
   * Returns the statements that begin a transaction. Those of sessions share the lock of the writers, and have one of their
   * session each.
   */
  #beginning(session?: string): string {
    if (session === undefined) return `begin; select pg_advisory_xact_lock(${this.#writeLock})`;
    const own = lockOf(this.place.schema, `write ${session}`);
    return `begin; select pg_advisory_xact_lock_shared(${this.#writeLock}); select pg_advisory_xact_lock(${own})`;
  }

  /** Runs internal work while no other transaction runs. */
  async #locked<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result> {
    const client = await this.#lockedConnection();
    try {
      const result = await work(client);
      await client.query("commit");
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw translatePostgresError(this.place.name, error);
    }
  }

  async #lockedConnection(): Promise<PoolClient> {
    return (await this.#onLiveConnection((client) => client.query(this.#beginning()))).client;
  }

  /**
   * Runs work on a live connection. A pooled connection may have broken since its last use; as
   * nothing was done on it yet, the work is tried again on another one, up to a new connection.
   */
  async #onLiveConnection<Result>(
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<{ client: PoolClient; result: Result }> {
    for (;;) {
      const client = await this.#connect();
      const isNew = !this.#used.has(client);
      this.#used.add(client);
      try {
        return { client, result: await work(client) };
      } catch (error) {
        const isLost = isConnectionLost(error);
        client.release(true);
        if (isNew || !isLost) throw translatePostgresError(this.place.name, error);
      }
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw translatePostgresError(this.place.name, error);
    }
  }

  /**
   * Returns the name of a prepared statement. The server plans a named statement once per connection; the
   * plans use memory. One that returns all columns has no name: the server rejects its plan once another node has added a
   * column (SCALE-023).
   */
  #nameOf(sql: string): string | undefined {
    if (ALL_COLUMNS.test(sql)) return undefined;
    const known = this.#statementNames.get(sql);
    if (known !== undefined || this.#statementNames.size >= MAX_NAMED_STATEMENTS) return known;
    const name = `s${this.#statementNames.size}`;
    this.#statementNames.set(sql, name);
    return name;
  }
}

/**
 * Returns the number of a lock. Hosts on one schema exclude each other; hosts on different schemas do not.
 */
function lockOf(schema: string, purpose: "write" | "host" | `write ${string}`): bigint {
  return createHash("sha256").update(`openclaw ${purpose} ${schema}`).digest().readBigInt64BE();
}

/** Returns the initial settings of a session, sent in the start-up message. */
function sessionSettings(schema: string, durability: Durability): string {
  const settings = {
    search_path: escapeIdentifier(schema),
    synchronous_commit: durability === "power" ? "on" : "off",
    timezone: "UTC",
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, "\\$&")}`)
    .join(" ");
}
