export { createLogMethods } from "./methods/logs.js";
export { openStoredSessions, type StoredSessions } from "./methods/stored-sessions.js";
export { storedUsage } from "./methods/stored-usage.js";
export {
  backupHostDatabase,
  type DatabaseOwner,
  hostDatabaseStatus,
  moveHostDatabase,
  restoreHostDatabase,
} from "./upkeep/database.js";
