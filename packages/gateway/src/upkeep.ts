export { openStoredSessions, type StoredSessions } from "./methods/stored-sessions.js";
export {
  backupHostDatabase,
  type DatabaseOwner,
  hostDatabaseStatus,
  moveHostDatabase,
  restoreHostDatabase,
} from "./upkeep/database.js";
