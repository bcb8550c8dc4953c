export type { StoredTable } from "./database/tables.js";
export { type DatabasePlace, databasePlace, type PostgresPlace } from "./engine/database-url.js";
export type { MigrationState } from "./migrations/migrations.js";
export type { ArchivedIncarnation, SessionArchives } from "./sessions/archive.js";
export { backupDatabase, restoreDatabase } from "./upkeep/backup.js";
export {
  type CopyOptions,
  copyDatabase,
  countDatabase,
  type TableComparison,
  type TableContent,
} from "./upkeep/copy.js";
export type {
  Retention,
  RetentionCounts,
  RetentionDays,
  RetentionSubject,
} from "./upkeep/retention.js";
export { type DatabaseStatus, databaseStatus } from "./upkeep/status.js";
