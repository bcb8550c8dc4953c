import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { Mutex } from "@openclaw/foundation";
import type { CompiledQuery, QueryResult } from "kysely";
import {
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  escapeIdentifier,
  Pool,
  type PoolClient,
} from "pg";
import { StoreUnavailableError } from "../../errors.js";
import type { PostgresPlace } from "../database-url.js";
import type { Durability } from "../sqlite.js";
import { COMMIT_TABLE, PostgresCommits } from "./commits.js";
import { isConnectionLost, translatePostgresError } from "./errors.js";
import { PostgresHold } from "./hold.js";
import { PostgresTransaction, type TransactionServer } from "./transaction.js";

const OLDEST_VERSION = 150_000;
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5000;
/** For the lock that other hosts hold; writers of one process wait for each other without it. */
const LOCK_TIMEOUT_MS = 15_000;
/** A host that stands still in a transaction must not keep the others out. */
const IDLE_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 60_000;
/** Long enough for a server to start again. */
const PATIENCE_MS = 15_000;
const MAX_NAMED_STATEMENTS = 256;

/** How a server is used. */
export interface PostgresServerOptions {
  readonly place: PostgresPlace;
  readonly durability: Durability;
  /** Reads the values of rows. */
  readonly types: CustomTypesConfig;
  /** Most connections; 10 when absent. */
  readonly poolSize?: number | undefined;
  /** Whether no other host may use the schema meanwhile that says the same. */
  readonly exclusive?: boolean | undefined;
  /** For how long a server is waited for that is to say whether a commit was kept; default 15 s. */
  readonly patienceMs?: number | undefined;
}

/**
 * The connections to one schema of a server. Reads run side by side. Writes run one after another,
 * those of other hosts included, so that what a transaction has read stays true until it commits.
 */
export class PostgresServer implements TransactionServer {
  readonly place: PostgresPlace;
  readonly #pool: Pool;
  readonly #commits: PostgresCommits;
  readonly #writers = new Mutex();
  readonly #used = new WeakSet<PoolClient>();
  readonly #statementNames = new Map<string, string>();
  readonly #hold: PostgresHold | undefined;
  readonly #begin: string;

  constructor(options: PostgresServerOptions) {
    const { place, durability, types, poolSize = POOL_SIZE, exclusive = false } = options;
    this.place = place;
    this.#commits = new PostgresCommits(place.name, options.patienceMs ?? PATIENCE_MS);
    this.#begin = `begin; select pg_advisory_xact_lock(${lockOf(place.schema, "write")})`;
    const connection: ClientConfig = {
      connectionString: place.connection,
      application_name: `openclaw, process ${process.pid} of ${hostname()}`.slice(0, 63),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    };
    this.#hold = exclusive
      ? new PostgresHold(connection, place.name, lockOf(place.schema, "host"))
      : undefined;
    this.#pool = new Pool({
      ...connection,
      options: sessionSettings(place.schema, durability),
      max: poolSize,
      types,
      pipeline: true,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    });
    // Whoever uses a broken connection next is told; an event without a listener would end the process.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /**
   * Makes the schema where it is missing.
   * @throws DatabaseInUseError when another host keeps it to itself
   * @throws StoreUnavailableError when the server cannot be reached, is too old, or refuses it
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
    // Who may use a schema need not be allowed to make one.
    const create = found.present ? "" : `create schema if not exists ${escapeIdentifier(schema)};`;
    await this.#locked((locked) => locked.query(`${create} ${COMMIT_TABLE}`));
  }

  /**
   * Runs a query that changes nothing.
   * @throws StoreUnavailableError when the server cannot be reached
   */
  async read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { client, result } = await this.#onLiveConnection((live) => this.run<Row>(live, query));
    client.release();
    return result;
  }

  /**
   * Begins a transaction once those before it have ended. It has no connection before its first statement.
   * @throws StoreUnavailableError when the server cannot be reached
   * @throws DatabaseInUseError when another host has taken the schema meanwhile
   */
  async begin(): Promise<PostgresTransaction> {
    const endTurn = await this.#writers.acquire();
    try {
      await this.#hold?.ensure();
      return new PostgresTransaction(this, endTurn);
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  async beginWith<Row>(
    query: CompiledQuery,
  ): Promise<{ client: PoolClient; result: PromiseSettledResult<QueryResult<Row>> }> {
    return await this.#onLiveConnection(async (client) => {
      const [begun, result] = await Promise.allSettled([
        client.query(this.#begin),
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
   * @param query - what to run
   */
  async run<Row>(client: ClientBase, query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query;
    // Only migrations and statements of plugins come as text, and may take as long as they need.
    const isRaw = query.query.kind === "RawNode";
    const name = isRaw ? undefined : this.#nameOf(sql);
    const statement = {
      text: sql,
      values: [...parameters],
      // Otherwise a text without parameters could hold several statements, one of them a commit.
      queryMode: "extended",
      query_timeout: isRaw ? undefined : QUERY_TIMEOUT_MS,
      name,
    };
    const { command, rowCount, rows } = await client.query(statement);
    const isChange = command === "INSERT" || command === "UPDATE" || command === "DELETE";
    return isChange ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  /**
   * Commits what was begun on a connection. When the connection is lost on the way, the server is asked
   * whether it was kept.
   * @param client - the connection
   * @throws StoreUnavailableError with reason `unreachable` when nothing was kept, with
   * `outcome-unknown` when the server could not be asked
   */
  async commit(client: ClientBase): Promise<void> {
    const { number, done } = this.#commits.commit(client);
    try {
      await done;
    } catch (error) {
      const translated = translatePostgresError(this.place.name, error);
      if (!isConnectionLost(error)) throw translated;
      const isKept = await this.#commits.wasKept(number, (work) => this.#locked(work));
      if (!isKept) throw translated;
    }
  }

  /** Waits for every connection in use, then closes them all. */
  async close(): Promise<void> {
    const endTurn = await this.#writers.acquire();
    // What cannot be dropped now is dropped by another host a day later.
    await this.#locked((client) => this.#commits.forget(client)).catch(() => undefined);
    await this.#pool.end();
    await this.#hold?.release();
    endTurn();
  }

  /** Does a thing of the server's own, while no other transaction runs. */
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
    return (await this.#onLiveConnection((client) => client.query(this.#begin))).client;
  }

  /**
   * A connection of the pool may have broken since it was last used. As nothing was done on it yet, the
   * same is tried on another, until one was made for it.
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

  /** The server plans a statement with a name once for each connection; its plans take memory. */
  #nameOf(sql: string): string | undefined {
    const known = this.#statementNames.get(sql);
    if (known !== undefined || this.#statementNames.size >= MAX_NAMED_STATEMENTS) return known;
    const name = `s${this.#statementNames.size}`;
    this.#statementNames.set(sql, name);
    return name;
  }
}

/** Hosts over one schema exclude each other; those over another are no concern of theirs. */
function lockOf(schema: string, purpose: "write" | "host"): bigint {
  return createHash("sha256").update(`openclaw ${purpose} ${schema}`).digest().readBigInt64BE();
}

/** What a session begins with, as the start-up message carries it. */
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
