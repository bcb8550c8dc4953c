import type {
  DatabaseVectors,
  PluginDatabase,
  PluginDatabaseQuery,
  PluginStore,
} from "@openclaw/plugin-sdk/store";
import { createFullTextTable } from "./full-text-table.js";
import { MIGRATIONS } from "./migrations.js";

/** Database of the memory, and what its engine can do. */
export interface MemoryDatabase extends PluginDatabaseQuery {
  readonly dialect: PluginDatabase["dialect"];
  readonly vectors: DatabaseVectors;
  readonly hasFullText: boolean;
  /** Sentences for the operator about what the engine lacks. */
  readonly notices: readonly string[];
  transaction: PluginDatabase["transaction"];
  /**
   * Returns an expression that reads a time as text in ISO 8601.
   * @param column - column of a time
   */
  time(column: string): string;
}

/** Name of the database among those of the plugin. */
export const MEMORY_DATABASE = "memory";

/**
 * Opens the database of the memory in the store of the plugin (MEM-019).
 * @param store - `api.store`
 * @throws PluginMigrationError when it cannot be migrated
 */
export async function openMemoryDatabase(
  store: Pick<PluginStore, "database">,
): Promise<MemoryDatabase> {
  const database = await store.database({
    name: MEMORY_DATABASE,
    migrations: MIGRATIONS,
    vectors: true,
  });
  return await asMemoryDatabase(database);
}

/**
 * Adds to a migrated database what depends on its engine.
 * @param database - the plugin's database
 */
async function asMemoryDatabase(database: PluginDatabase): Promise<MemoryDatabase> {
  const { dialect, vectors } = database;
  const withoutFullText = await createFullTextTable(database, dialect);
  const withoutVectors =
    vectors.extension === "none"
      ? `vectors are compared in JavaScript, which is slow for many chunks: ${vectors.reason}`
      : undefined;
  return {
    dialect,
    vectors,
    hasFullText: withoutFullText === undefined,
    notices: [withoutFullText, withoutVectors].filter((notice) => notice !== undefined),
    query: (sql, params) => database.query(sql, params),
    transaction: (work) => database.transaction(work),
    time: (column) =>
      dialect === "sqlite"
        ? column
        : `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  };
}
