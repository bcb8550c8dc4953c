import type { JsonValue } from "../schema/json.js";

/** JSON values by key, a plugin's own (SDK-040). */
export interface PluginKeyValueStore {
  /** @param key - 1 to 512 characters */
  get(key: string): Promise<JsonValue | undefined>;
  /**
   * Stores a value, in place of any that is there.
   * @param key - 1 to 512 characters
   * @param value - at most 256 KiB as JSON
   */
  set(key: string, value: JsonValue): Promise<void>;
  /**
   * Removes a value.
   * @param key - of a value that may be there
   * @returns whether it was
   */
  delete(key: string): Promise<boolean>;
  /**
   * Lists values in the order of their keys, by code point.
   * @param prefix - beginning of the keys; every key when absent
   */
  list(prefix?: string): Promise<readonly { readonly key: string; readonly value: JsonValue }[]>;
  /**
   * Stores a value only where the present one is as expected; the order of an object's fields does
   * not count.
   * @param key - 1 to 512 characters
   * @param expected - undefined expects none
   * @param next - undefined removes it
   * @returns whether it was as expected
   */
  compareAndSet(
    key: string,
    expected: JsonValue | undefined,
    next: JsonValue | undefined,
  ): Promise<boolean>;
}

/** One step from an older layout of a plugin's database to the next; once released it never changes. */
export interface PluginMigration {
  /** Unique in its list, which only ever grows at its end. */
  id: string;
  /** For SQLite: one statement, or a list of them. */
  sqlite: string | readonly string[];
  /** For PostgreSQL: one statement, or a list of them. */
  postgres: string | readonly string[];
}

/** Which database a plugin asks for. */
export interface PluginDatabaseOptions {
  /** 1 to 64 characters of `a-z 0-9 _ -`, a letter or digit first; a plugin may have several. */
  name: string;
  /** Run once each, in this order, when the database is first opened. */
  migrations: readonly PluginMigration[];
}

/** A value that goes into a statement, or comes out of one. Times and JSON are kept as text. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;

/** A row of a result, by column name. */
export type SqlRow = Record<string, SqlValue>;

/** Reads and writes a plugin's own tables. */
export interface PluginDatabaseQuery {
  /**
   * Runs one statement.
   * @typeParam Row - what the statement gives; the host does not check it
   * @param sql - one statement; `$1`, `$2` … stand for the parameters, on every engine
   * @param params - a flag is stored as 0 or 1 where the engine has no type for it
   * @returns the rows, none for a statement that gives none; a whole number beyond 2^53 is a bigint
   * @throws PluginQueryError when the database refuses the statement
   */
  query<Row extends object = SqlRow>(
    sql: string,
    params?: readonly SqlValue[],
  ): Promise<readonly Row[]>;
}

/** A plugin's own database. */
export interface PluginDatabase extends PluginDatabaseQuery {
  /** In which dialect its statements are written. */
  readonly dialect: "sqlite" | "postgres";
  /**
   * Runs statements as a whole or not at all. Other calls wait meanwhile, so do nothing slow in it.
   * @param work - the statements, on what it is given; what it throws undoes them
   */
  transaction<Result>(work: (inside: PluginDatabaseQuery) => Promise<Result>): Promise<Result>;
}

/** What a plugin keeps; no other plugin can see it (D26). */
export interface PluginStore {
  readonly kv: PluginKeyValueStore;
  /**
   * Opens a database of the plugin's own, and brings it to its newest layout.
   * @param options - its name and migrations; the same name gives the same database
   * @throws PluginMigrationError when a migration fails, or one that was applied has changed
   */
  database(options: PluginDatabaseOptions): Promise<PluginDatabase>;
}
