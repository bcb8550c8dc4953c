import { existsSync, renameSync, rmSync } from "node:fs";
import { copyFile, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { moveOver } from "@openclaw/foundation/file-replacement";
import BetterSqlite from "better-sqlite3";
import { MIGRATIONS } from "../contexts.js";
import { BEFORE_RESTORE, markBackup, removeMark } from "../engine/backup-search.js";
import { ensurePrivateFile, fileFailure, realDatabaseFile } from "../engine/database-file.js";
import { acquireDatabaseLock } from "../engine/database-lock.js";
import { SQLITE_SCHEMA, translateSqliteError } from "../engine/sqlite.js";
import { BackupRefusedError } from "../errors.js";
import { type AppliedMigration, checkHistory } from "../migrations/migrations.js";
import { forgetCommits } from "./commit-mark.js";

/**
 * Side files of a SQLite database, which must not be mistaken for those of another database at its
 * path.
 */
const SIDE_FILES = ["-wal", "-shm", "-journal"];

/**
 * Creates a consistent copy of a SQLite database; a host may have it open and continue to write
 * (SCALE-028).
 * @param database - absolute path of the database
 * @param backup - absolute path of a file that does not exist yet
 * @param options - `isPlugins` for a database of a plugin, which is copied without a mark
 * @returns the size of the backup in bytes
 * @throws BackupRefusedError when the backup's file already exists
 * @throws StoreUnavailableError when one of them cannot be read or written
 */
export async function backupDatabase(
  database: string,
  backup: string,
  { isPlugins = false }: { isPlugins?: boolean | undefined } = {},
): Promise<{ bytes: number }> {
  if (existsSync(backup)) {
    throw new BackupRefusedError(
      backup,
      "already exists",
      "use a new file name, or move the file away",
    );
  }
  const draft = `${backup}.part`;
  rmSync(draft, { force: true });
  await ensurePrivateFile(draft);
  try {
    readWith(database, (source) => {
      try {
        source.prepare("vacuum into ?").run(draft);
      } catch (error) {
        // Any problem other than a damaged source is a problem of the backup's path.
        throw isDamage(error) ? error : translateSqliteError(backup, error);
      }
    });
    readWith(draft, (copy) => requireSound(copy, draft));
    if (!isPlugins) markBackup(draft, await realDatabaseFile(database));
    await sync(draft);
    renameSync(draft, backup);
    await sync(dirname(backup));
    return { bytes: (await stat(backup)).size };
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Checks that {@link restoreDatabase} would accept a file, without a change.
 * @param backup - absolute path of a file that {@link backupDatabase} wrote
 * @param options - `isPlugins` for a database of a plugin, whose schema is the plugin's own
 * @throws BackupRefusedError when the file is not a valid backup
 * @throws SchemaTooNewError, MigrationChangedError when another version wrote it
 * @throws StoreUnavailableError when it cannot be read
 */
export function checkBackup(
  backup: string,
  { isPlugins = false }: { isPlugins?: boolean | undefined } = {},
): void {
  if (!existsSync(backup)) {
    throw new BackupRefusedError(backup, "does not exist", "use the path of a backup file");
  }
  readWith(backup, (copy) => {
    requireSound(copy, backup);
    if (!isPlugins) checkHistory(historyOf(copy, backup), SQLITE_SCHEMA, MIGRATIONS, backup);
  });
}

/**
 * Replaces a SQLite database that no process has open with a backup. The previous files are kept in
 * the same folder.
 * @param backup - absolute path of a file that {@link backupDatabase} wrote
 * @param database - absolute path of the database, which may be damaged or missing
 * @param options - `isPlugins` for a database of a plugin, whose schema is the plugin's own
 * @returns the path at which the previous database is kept, if there was one
 * @throws BackupRefusedError when the file is not a valid backup
 * @throws SchemaTooNewError, MigrationChangedError when another version wrote it
 * @throws DatabaseInUseError when a host has the database open
 * @throws FileReplacementError when the database is mounted alone and cannot be written in place
 * @throws StoreUnavailableError when one of them cannot be read or written
 */
export async function restoreDatabase(
  backup: string,
  database: string,
  { isPlugins = false }: { isPlugins?: boolean | undefined } = {},
): Promise<{ kept?: string | undefined }> {
  checkBackup(backup, { isPlugins });
  // A link to the database is kept: the file that it points to is replaced.
  const real = await realDatabaseFile(database);
  // The host of a database need not use the state folder from which it is restored.
  const lock = isPlugins ? undefined : await acquireDatabaseLock(real);
  try {
    // The backup has fewer commits than the database that it replaces.
    if (!isPlugins) forgetCommits(real);
    // The number in which a store keeps the mark belongs to the plugin in its own database.
    return await replaceDatabase(backup, real, isPlugins ? () => {} : removeMark);
  } finally {
    await lock?.release();
  }
}

async function replaceDatabase(
  backup: string,
  database: string,
  prepare: (draft: string) => void,
): Promise<{ kept?: string | undefined }> {
  const draft = `${database}.restoring`;
  rmSync(draft, { force: true });
  await ensurePrivateFile(draft);
  try {
    await copyFile(backup, draft);
    prepare(draft);
    await sync(draft);
    const kept = await setAside(database);
    // The log of the earlier database would be applied to the restored one.
    for (const suffix of SIDE_FILES) rmSync(database + suffix, { force: true });
    try {
      moveOver(draft, database);
    } catch (error) {
      await restoreSideFiles(kept, database);
      throw error;
    }
    await sync(dirname(database));
    return kept === undefined ? {} : { kept };
  } catch (error) {
    rmSync(draft, { force: true });
    throw isSystemError(error) ? fileFailure(database, error) : error;
  }
}

/**
 * Copies the previous database instead of moving it: until the last step the path refers to one
 * complete database or the other.
 */
async function setAside(database: string): Promise<string | undefined> {
  if (!existsSync(database)) return undefined;
  const stamp = new Date().toISOString().replace(/[:.]/g, "-");
  const kept = `${database}${BEFORE_RESTORE}${stamp}`;
  for (const suffix of ["", ...SIDE_FILES]) {
    if (!existsSync(database + suffix)) continue;
    await ensurePrivateFile(kept + suffix);
    await copyFile(database + suffix, kept + suffix);
    await sync(kept + suffix);
  }
  return kept;
}

/** The previous database is in place again, and what it has only in its log must not be missing. */
async function restoreSideFiles(kept: string | undefined, database: string): Promise<void> {
  if (kept === undefined) return;
  for (const suffix of SIDE_FILES) {
    if (existsSync(kept + suffix)) await copyFile(kept + suffix, database + suffix);
  }
}

function readWith<Result>(file: string, work: (database: BetterSqlite.Database) => Result): Result {
  try {
    const database = new BetterSqlite(file, { readonly: true, fileMustExist: true });
    try {
      return work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw translateSqliteError(file, error);
  }
}

function requireSound(database: BetterSqlite.Database, file: string): void {
  const found = database.pragma("integrity_check(1)", { simple: true });
  if (found === "ok") return;
  throw new BackupRefusedError(file, `is damaged (${String(found)})`, "use another backup");
}

function historyOf(database: BetterSqlite.Database, file: string): readonly AppliedMigration[] {
  const tables = database
    .prepare<[], string>("select name from sqlite_schema where type = 'table'")
    .pluck()
    .all();
  if (!tables.includes("migrations")) {
    throw new BackupRefusedError(
      file,
      "is not a backup of a store",
      "use the path of a backup file",
    );
  }
  return database
    .prepare<[], AppliedMigration>(
      "select name, checksum, applied_at as appliedAt from migrations order by name",
    )
    .all();
}

function isDamage(error: unknown): boolean {
  return error instanceof BetterSqlite.SqliteError && /CORRUPT|NOTADB/.test(error.code);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
