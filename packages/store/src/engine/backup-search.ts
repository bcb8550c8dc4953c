import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite from "better-sqlite3";

/**
 * Returns advice that names the newest backup of a database that is not usable.
 * @param database - absolute path of the database; its folder and the subfolder `backups` are searched
 */
export function backupAdvice(database: string): string {
  const folder = dirname(database);
  const backups = [folder, join(folder, "backups")]
    .flatMap(filesOf)
    .filter((file) => file !== database && isStore(file))
    .map((file) => ({ file, modifiedAt: statSync(file).mtimeMs }))
    .toSorted((a, b) => b.modifiedAt - a.modifiedAt);
  const [newest] = backups;
  if (newest === undefined) return "no backup found in its folder";
  return `restore the newest backup in its folder with \`openclaw db restore ${newest.file}\``;
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

/** Returns true for a store; any other file, which SQLite may not be able to read, is not a backup. */
function isStore(file: string): boolean {
  try {
    if (statSync(file).size === 0) return false;
    const database = new BetterSqlite(file, { readonly: true, fileMustExist: true });
    try {
      return (
        database.prepare("select 1 from sqlite_schema where name = 'migrations'").get() !==
        undefined
      );
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}
