import { DatabaseInUseError, StateLockedError } from "../errors.js";
import { realDatabaseFile } from "./database-file.js";
import { acquireStateLock, type StateLock } from "./state-lock.js";

/**
 * Acquires the lock of a SQLite database for one host. It belongs to the real file, so that every spelling of
 * the path (relative, through a link, with `..`) leads to the same lock.
 * @param file - absolute path of the database, which need not exist yet
 * @throws DatabaseInUseError when another host has the database open
 * @throws StoreUnavailableError when its lock file cannot be written
 */
export async function acquireDatabaseLock(file: string): Promise<StateLock> {
  const real = await realDatabaseFile(file);
  try {
    return await acquireStateLock(`${real}.lock`, { pid: process.pid, startedAt: Date.now() });
  } catch (error) {
    if (!StateLockedError.isInstance(error)) throw error;
    const { holder } = error;
    throw new DatabaseInUseError(file, holder && `process ${holder.pid}`, { cause: error });
  }
}
