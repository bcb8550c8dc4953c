import type { JsonValue } from "../schema/json.js";

/** Key-value store of a plugin for JSON values (SDK-040). */
export interface PluginKeyValueStore {
  /** @param key - key of 1 to 512 characters */
  get(key: string): Promise<JsonValue | undefined>;
  /**
   * Stores a value and replaces any existing one.
   * @param key - key of 1 to 512 characters
   * @param value - value of at most 256 KiB as JSON
   */
  set(key: string, value: JsonValue): Promise<void>;
  /**
   * Removes a value.
   * @param key - key of 1 to 512 characters
   * @returns true when the key had a value
   */
  delete(key: string): Promise<boolean>;
  /**
   * Lists values in the order of their keys, by code point.
   * @param prefix - prefix of the keys; all keys when absent
   */
  list(prefix?: string): Promise<readonly { readonly key: string; readonly value: JsonValue }[]>;
  /**
   * Stores a value if the current value equals the expected one; the order of an object's fields is ignored.
   * @param key - key of 1 to 512 characters
   * @param expected - expected value; undefined for a key without a value
   * @param next - new value; undefined removes the key
   * @returns true when the value was stored
   */
  compareAndSet(
    key: string,
    expected: JsonValue | undefined,
    next: JsonValue | undefined,
  ): Promise<boolean>;
}

/** Migration of a plugin's database; it must not change after its release. */
export interface PluginMigration {
  /** Name, unique in the list of migrations; new migrations are appended to the list. */
  id: string;
  /** Statement or list of statements for SQLite. */
  sqlite: string | readonly string[];
  /** Statement or list of statements for PostgreSQL. */
  postgres: string | readonly string[];
}

/** Name and migrations of a plugin's database. */
export interface PluginDatabaseOptions {
  /** Name of 1 to 64 characters of `a-z 0-9 _ -` that begins with a letter or digit. */
  name: string;
  /** Migrations; each runs once, in this order, when the database is opened. */
  migrations: readonly PluginMigration[];
  /** True adds vector functions to the engine where it has them; `PluginDatabase.vectors` names them. */
  vectors?: boolean;
}

/**
 * Vector functions of a database: those of sqlite-vec, for example `vec_distance_cosine`, or the types and operators of
 * pgvector, which statements name with their schema.
 */
export type DatabaseVectors =
  | { readonly extension: "sqlite-vec" }
  /** The functions that libSQL has itself, for example `vector_distance_cos`. */
  | { readonly extension: "libsql" }
  | { readonly extension: "pgvector"; readonly schema: string }
  | {
      readonly extension: "none";
      /** Reason why the engine has no vector functions, for diagnostics. */
      readonly reason: string;
    };

/** Parameter of a statement or value in a result. Times and JSON are stored as text. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

/** Row of a result, keyed by column name. */
export type SqlRow = Record<string, SqlValue>;

/** Runs statements on a plugin's database. */
export interface PluginDatabaseQuery {
  /**
   * Runs one statement.
   * @typeParam Row - type of the result rows, not checked by the host
   * @param sql - one statement; `$1`, `$2` … are the parameters, on each database engine
   * @param params - values of the parameters; an engine without booleans stores 0 or 1
   * @returns the rows, empty for a statement without a result; an integer beyond 2^53 is a bigint
   * @throws PluginQueryError when the database rejects the statement
   */
  query<Row extends object = SqlRow>(
    sql: string,
    params?: readonly SqlValue[],
  ): Promise<readonly Row[]>;
}

/** Database of a plugin. */
export interface PluginDatabase extends PluginDatabaseQuery {
  /** SQL dialect of its statements. */
  readonly dialect: "sqlite" | "postgres";
  /** Vector functions that statements can use (SDK-050). */
  readonly vectors: DatabaseVectors;
  /**
   * Runs statements in a transaction. Other calls wait until it ends, so it must be short.
   * @param work - runs statements on the given connection; a thrown error rolls the transaction back
   */
  transaction<Result>(work: (inside: PluginDatabaseQuery) => Promise<Result>): Promise<Result>;
}

/** Secrets of a plugin: values that the host encrypts at rest with its master key (SDK-060). */
export interface PluginSecretStore {
  /**
   * Returns a value; undefined when there is none.
   * @param name - a letter, then letters, digits, dots, hyphens and underscores, at most 128 characters
   * @throws an error with code `SECRET_KEY_UNUSABLE` when it cannot be decrypted
   */
  get(name: string): Promise<string | undefined>;
  /**
   * Stores a value and replaces any existing one.
   * @param name - name of the secret
   * @param value - text of 1 byte to 64 KiB
   */
  set(name: string, value: string): Promise<void>;
  /**
   * Removes a value.
   * @param name - name of the secret
   * @returns true when the name had a value
   */
  delete(name: string): Promise<boolean>;
}

/** Storage of a plugin, invisible to other plugins (D26). */
export interface PluginStore {
  readonly kv: PluginKeyValueStore;
  /** Secrets; absent on a host without a master key. */
  readonly secrets?: PluginSecretStore;
  /**
   * Opens a database of the plugin and applies its migrations.
   * @param options - name and migrations; the same name returns the same database
   * @throws PluginMigrationError when a migration fails, or an applied migration has changed
   */
  database(options: PluginDatabaseOptions): Promise<PluginDatabase>;
}
