import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite from "better-sqlite3";

/** Begins the suffix of the copy of a database that is kept when a backup replaces it. */
export const BEFORE_RESTORE = ".before-restore-";

/** Suffixes of side files, locks, and drafts of backups and of restored databases. */
const NOT_BACKUP = /(?:-wal|-shm|-journal|\.lock|\.mark|\.lost|\.part|\.restoring)$/;

const HEADER_LENGTH = 100;
const MAGIC = "SQLite format 3\0";

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
  writeMark(backup, markOf(database));
}

/**
 * Removes the mark of a backup that becomes a database, so that copies of the database do not pass for backups.
 * @param draft - copy of the backup; nothing else has it open
 */
export function removeMark(draft: string): void {
  writeMark(draft, 0);
}

function writeMark(file: string, mark: number): void {
  const copy = new BetterSqlite(file, { fileMustExist: true });
  try {
    copy.pragma(`user_version = ${mark}`);
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
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .filter((name) => !NOT_BACKUP.test(name) && !name.includes(BEFORE_RESTORE))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** A database of another host has a lock file next to it, and an open one has a log. */
function isInUse(file: string): boolean {
  return [".lock", "-wal"].some((suffix) => existsSync(`${file}${suffix}`));
}

/** Reads what may be any file; whatever cannot be read is not a backup. */
function readCandidate(file: string): Candidate[] {
  try {
    const header = readHeader(file);
    if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return [];
    const mark = header.readUInt32BE(60);
    if (mark === 0 && (isInWalMode(header) || !isStore(file))) return [];
    return [{ file, modifiedAt: statSync(file).mtimeMs, mark }];
  } catch {
    return [];
  }
}

/**
 * Reads the header without SQLite, which would leave a log next to a database in WAL mode, as if a host had
 * it open.
 */
function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_LENGTH);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, header, 0, HEADER_LENGTH, 0);
  } finally {
    closeSync(descriptor);
  }
  return header;
}

/** A backup is never in WAL mode: without a mark, such a file is a copy of a database, or another one. */
function isInWalMode(header: Buffer): boolean {
  return header[18] === 2;
}

function isStore(file: string): boolean {
  const database = new BetterSqlite(file, { readonly: true, fileMustExist: true });
  try {
    const table = database.prepare("select 1 from sqlite_schema where name = 'migrations'").get();
    return table !== undefined;
  } finally {
    database.close();
  }
}
