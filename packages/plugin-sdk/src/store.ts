export { type DatabaseData, databaseData } from "./data/database-data.js";
export { type ExportTableOptions, exportTable, importRows } from "./data/table-rows.js";
export {
  PluginDataError,
  PluginMigrationError,
  PluginQueryError,
  PluginStoreArgumentError,
} from "./errors.js";
export type { PluginDataBatch, PluginDataPort, PluginDataStore } from "./host/plugin-data.js";
export type {
  DatabaseVectors,
  PluginDatabase,
  PluginDatabaseOptions,
  PluginDatabaseQuery,
  PluginKeyValueStore,
  PluginMigration,
  PluginSecretStore,
  PluginStore,
  SqlRow,
  SqlValue,
} from "./host/plugin-store.js";
