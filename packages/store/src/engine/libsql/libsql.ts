import type { Client, Config, IntMode } from "@libsql/client";
import { Kysely, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import type { Schema } from "../../database/schema.js";
import { DatabaseUnit, throughBuilder } from "../../database/unit-of-work.js";
import type { LibsqlServerPlace } from "../database-url.js";
import type { Engine, EngineOptions, FileEngine } from "../engine.js";
import { LogFlush } from "../log-flush.js";
import { type DialectWords, serializedDialect } from "../serialized/dialect.js";
import { SQLITE_SCHEMA } from "../sqlite.js";
import { TurnTakingAdapter } from "../sqlite-connection.js";
import { steadied } from "../steady-clock.js";
import { LibsqlConnection, loadLibsql } from "./connection.js";
import { translateLibsqlError } from "./errors.js";
import { LibsqlHost, SERVER_TIME } from "./host.js";

const REQUEST_TIMEOUT_MS = 60_000;

/** Settings of a file, as the engine of SQLite files has them; see there for the reasons. */
const SETTINGS = [
  "journal_mode = wal",
  // The flush of the log makes commits durable.
  "synchronous = normal",
  "wal_autocheckpoint = 4000",
  "cache_size = -4000",
  "foreign_keys = on",
  "secure_delete = on",
  "busy_timeout = 0",
];

/** libSQL has the language of SQLite. */
const DIALECT: DialectWords = {
  compiler: () => new SqliteQueryCompiler(),
  adapter: () => new TurnTakingAdapter(),
  introspector: (builder) => new SqliteIntrospector(builder),
};

/** Options of a file that libSQL opens. */
export interface LibsqlFileOptions
  extends Pick<EngineOptions, "durability" | "flushFile" | "journalCipher"> {
  readonly now: () => number;
  /** The database's clock; the one of this process when absent. */
  readonly databaseClock?: (() => number) | undefined;
  /** Returns integers as `bigint`. */
  readonly safeIntegers?: boolean | undefined;
}

/**
 * Opens a file with libSQL.
 * @param file - absolute path of a database that exists
 * @param options - durability and clock
 * @throws StoreUnavailableError when it cannot be opened, or the client is not installed
 */
export async function openLibsqlFile(
  file: string,
  { durability, flushFile, journalCipher, now, databaseClock = now, ...options }: LibsqlFileOptions,
): Promise<FileEngine> {
  const { safeIntegers = false } = options;
  const open = () => openFileClient(file, safeIntegers ? "bigint" : "number");
  const client = await open();
  try {
    const flush = durability === "power" ? await LogFlush.open(file, flushFile) : undefined;
    const connection = new LibsqlConnection(client, { name: file, open, flush });
    const database = new Kysely<Schema>({ dialect: serializedDialect(connection, DIALECT) });
    const direct = { ...throughBuilder(database), purge: () => connection.purge() };
    return {
      unit: new DatabaseUnit(database, now, async () => databaseClock(), direct, journalCipher),
      purge: () => connection.purge(),
      onCommit(listener) {
        connection.onCommit = listener;
      },
    };
  } catch (error) {
    client.close();
    throw translateLibsqlError(file, error);
  }
}

/** Options for opening a database of a server. */
export interface OpenLibsqlServerOptions extends EngineOptions {
  readonly place: LibsqlServerPlace;
  /** Time to wait for a server that must report whether a commit succeeded; default 15 s. */
  readonly patienceMs?: number | undefined;
}

/**
 * Connects to a database of a libSQL server.
 * @param options - address, clock and exclusivity
 * @throws StoreUnavailableError when the server cannot be reached or denies access, or the client is not installed
 * @throws DatabaseInUseError when another host uses it exclusively
 */
export async function openLibsqlServer({
  place,
  now,
  databaseClock,
  exclusive = false,
  journalCipher,
  patienceMs,
}: OpenLibsqlServerOptions): Promise<Engine> {
  const { connection: url, name } = place;
  const open = () => openClient(name, { url, intMode: "number", fetch: fetchInTime });
  const client = await open();
  try {
    const host = await LibsqlHost.open(client, { database: name, exclusive, patienceMs });
    const connection = new LibsqlConnection(client, { name, open, host });
    const database = new Kysely<Schema>({ dialect: serializedDialect(connection, DIALECT) });
    const clock = databaseClock === undefined ? steadied(serverClock) : async () => databaseClock();
    return {
      engine: "libsql",
      dialect: "sqlite",
      name,
      words: SQLITE_SCHEMA,
      unit: new DatabaseUnit(database, now, clock, undefined, journalCipher),
      // The URL identifies the database, so any database that responds there is the right one.
      verify: async () => {},
      release: async () => {},
    };
  } catch (error) {
    client.close();
    throw translateLibsqlError(name, error);
  }
}

/** Opens a file with one connection, because its settings belong to a connection. */
async function openFileClient(file: string, intMode: IntMode): Promise<Client> {
  const url = `file:${encodeURI(file).replaceAll("?", "%3F").replaceAll("#", "%23")}`;
  const client = await openClient(file, { url, intMode, concurrency: 1 });
  try {
    for (const setting of SETTINGS) await client.execute(`pragma ${setting}`);
    // A truncated file fails here, and not at the first query after the start of the host.
    await client.execute("select count(*) from sqlite_schema");
    return client;
  } catch (error) {
    client.close();
    throw translateLibsqlError(file, error);
  }
}

async function openClient(
  name: string,
  config: Config & { readonly intMode: IntMode },
): Promise<Client> {
  const { createClient } = await loadLibsql(name);
  try {
    return createClient(config);
  } catch (error) {
    throw translateLibsqlError(name, error);
  }
}

async function serverClock(query: Kysely<Schema>): Promise<number> {
  const time = sql<number>`${sql.raw(SERVER_TIME)}`;
  const { now } = await query.selectNoFrom(time.as("now")).executeTakeFirstOrThrow();
  return now;
}

/** A server that never answers must not keep every writer waiting. */
async function fetchInTime(request: Request): Promise<Response> {
  return await fetch(request, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}
