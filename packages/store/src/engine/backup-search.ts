import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite from "better-sqlite3";

/** A file that may be a backup of a database. */
interface Candidate {
  readonly file: string;
  readonly modifiedAt: number;
  /** Mark of the database that it was taken from; 0 for a backup of an earlier version. */
  readonly mark: number;
}

/**
 * Marks a backup with the database that it was taken from, so that advice does not name the backup of another
 * database in the same folder.
 * @param backup - file of the backup; nothing else has it open
 * @param database - real path of the database
 */
export function markBackup(backup: string, database: string): void {
  const copy = new BetterSqlite(backup, { fileMustExist: true });
  try {
    copy.pragma(`user_version = ${markOf(database)}`);
  } finally {
    copy.close();
  }
}

/**
 * Returns advice that names the newest backup of a database that cannot be used.
 * @param database - absolute path of the database; its folder and `backups` in it are searched
 */
export function backupAdvice(database: string): string {
  const folder = dirname(database);
  const candidates = [folder, join(folder, "backups")]
    .flatMap(filesOf)
    .filter((file) => file !== database && !isInUse(file))
    .flatMap(readCandidate)
    .toSorted((a, b) => b.modifiedAt - a.modifiedAt);
  const own = candidates.find(({ mark }) => mark === markOf(database));
  if (own !== undefined)
    return `restore its newest backup with \`openclaw db restore ${own.file}\``;
  const unmarked = candidates.find(({ mark }) => mark === 0);
  if (unmarked === undefined) return "no backup found in its folder";
  return `no backup marked as its own found in its folder; one without a mark: \`openclaw db restore ${unmarked.file}\` if it is the right one`;
}

/** A positive 31-bit number, which is what SQLite keeps in the header of a file. */
function markOf(database: string): number {
  return (createHash("sha256").update(database).digest().readUInt32BE() >>> 1) | 1;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !/-(?:wal|shm|journal)$|\.lock$/.test(entry.name))
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

/** A database of another host has a lock file next to it, and an open one has a log. */
function isInUse(file: string): boolean {
  return [".lock", "-wal"].some((suffix) => existsSync(`${file}${suffix}`));
}

/** Opens what may be any file; whatever SQLite cannot read is not a backup. */
function readCandidate(file: string): Candidate[] {
  try {
    const { size, mtimeMs } = statSync(file);
    if (size === 0) return [];
    const database = new BetterSqlite(file, { readonly: true, fileMustExist: true });
    try {
      const isStore =
        database.prepare("select 1 from sqlite_schema where name = 'migrations'").get() !==
        undefined;
      const mark = Number(database.pragma("user_version", { simple: true }));
      return isStore ? [{ file, modifiedAt: mtimeMs, mark }] : [];
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}
