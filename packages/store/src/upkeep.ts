export { type DatabasePlace, databasePlace } from "./engine/database-url.js";

export { backupDatabase, restoreDatabase } from "./upkeep/backup.js";
export {
  type CopyOptions,
  copyDatabase,
  countDatabase,
  type TableComparison,
} from "./upkeep/copy.js";

export { type DatabaseStatus, databaseStatus } from "./upkeep/status.js";
