export { createLogMethods } from "./methods/logs.js";
export { openStoredSessions, type StoredSessions } from "./methods/stored/sessions.js";
export { storedUsage } from "./methods/usage.js";
export { dataPortsOf } from "./plugins/data-ports.js";
export { existingSettings } from "./settings/existing.js";
export {
  acceptLostCommits,
  backupHostDatabase,
  type DatabaseOwner,
  hostDatabaseStatus,
  moveHostDatabase,
  restoreHostDatabase,
  serverBackupOf,
} from "./upkeep/database.js";
export type { DataPorts, MovedPlugin } from "./upkeep/plugin-move.js";
