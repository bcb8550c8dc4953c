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
} from "./database-upkeep.js";
export { openStoredSessions, type StoredSessions } from "./stored-sessions.js";
