export {
  PluginMigrationError,
  PluginQueryError,
  PluginStoreArgumentError,
} from "./errors.js";
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
