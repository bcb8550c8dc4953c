export { backupDatabase, restoreDatabase } from "./database-backup.js";
export {
  type CopyOptions,
  copyDatabase,
  countDatabase,
  type TableComparison,
  type TableContent,
} from "./database-copy.js";
export { type DatabaseStatus, databaseStatus } from "./database-status.js";
export { type DatabasePlace, databasePlace, type PostgresPlace } from "./database-url.js";
export type { MigrationState } from "./migrations.js";
export type { Retention, RetentionCounts, RetentionDays, RetentionSubject } from "./retention.js";
export type { ArchivedIncarnation, SessionArchives } from "./session-archive.js";
export type { StoredTable } from "./tables.js";
