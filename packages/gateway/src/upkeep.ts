export { openStoredSessions, type StoredSessions } from "./methods/stored-sessions.js";
export {
  type BackupOutcome,
  backupHostDatabase,
  type DatabaseMove,
  type DatabaseOwner,
  hostDatabaseStatus,
  type MoveOutcome,
  moveHostDatabase,
  type RestoreOutcome,
  restoreHostDatabase,
} from "./upkeep/database.js";
