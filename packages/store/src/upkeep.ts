export { type DatabasePlace, databasePlace } from "./engine/database-url.js";
export { CopyRefusedError } from "./errors.js";
export { PluginDatabases } from "./plugins/databases.js";
export { backupDatabase, checkBackup, restoreDatabase } from "./upkeep/backup.js";
export { forgetCommits } from "./upkeep/commit-mark.js";
export {
  type CopyOptions,
  type CopyProgress,
  copyDatabase,
  countDatabase,
  type TableComparison,
} from "./upkeep/copy.js";

export {
  comparePluginData,
  copyPluginData,
  countPluginData,
  type PluginTableComparison,
} from "./upkeep/plugin-copy.js";

export { type DatabaseStatus, databaseStatus } from "./upkeep/status.js";
