import { PluginDataError } from "../errors.js";
import type { PluginDataPort } from "../host/plugin-data.js";
import type { PluginDatabaseOptions } from "../host/plugin-store.js";
import { catalogReader, tablesOf } from "./catalog.js";
import { exportTable, importRows } from "./table-rows.js";

/** Database whose tables are copied as they are. */
export interface DatabaseData extends PluginDatabaseOptions {
  /** Tables to copy, each after the tables that its rows refer to. */
  tables: readonly string[];
  /** Tables that the plugin fills again itself, such as an index of the others. */
  derived?: readonly string[];
  /** Columns with JSON, by table. */
  json?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the data port of a plugin whose database is copied table by table (SDK-641).
 * @param data - name and migrations, as for `api.store.database`, and the tables
 * @example
 * ```ts
 * import { databaseData } from "@openclaw/plugin-sdk/store";
 *
 * const create = "create table notes (id text primary key, text text not null)";
 *
 * export const data = databaseData({
 *   name: "notes",
 *   migrations: [{ id: "notes", sqlite: create, postgres: create }],
 *   tables: ["notes"],
 * });
 * ```
 */
export function databaseData(data: DatabaseData): PluginDataPort {
  const { name, migrations, tables, derived = [], json = {} } = data;
  return {
    databases: [name],
    async *exportData(store) {
      const database = await store.database({ name, migrations });
      const listed = new Set([...tables, ...derived]);
      const unlisted = (await tablesOf(catalogReader(database.dialect, database))).find(
        (table) => !listed.has(table),
      );
      if (unlisted !== undefined) {
        throw new PluginDataError(unlisted, "it is neither in `tables` nor in `derived`");
      }
      for (const table of tables) yield* exportTable(database, table, { json: json[table] ?? [] });
    },
    async importData(store, batches) {
      const database = await store.database(data);
      for await (const batch of batches) {
        await database.transaction((inside) => importRows(inside, database.dialect, batch));
      }
    },
  };
}
