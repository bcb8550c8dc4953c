import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import BetterSqlite from "better-sqlite3";
import { isJsonObject } from "../database/json-column.js";
import {
  type LockHolder,
  StateLockedError,
  StoreClosedError,
  StoreUnavailableError,
} from "../errors.js";
import { ensurePrivateFile, fileFailure, fileIdentity } from "./database-file.js";
import { isBusy, translateSqliteError } from "./sqlite.js";

/*
 * Node offers no file locks, so the lock is SQLite's exclusive lock on an empty database: the kernel
 * frees it when the process ends, however it ends. Nothing else in this process may open the file,
 * because closing any other descriptor of it would drop the lock.
 */

/** Timeout longer than an `isLocked` call elsewhere, which holds a shared lock for microseconds. */
const ACQUIRE_TIMEOUT_MS = 100;
/** Time between two attempts to take a lock that is held. */
const RETRY_MS = 50;
const DETAILS_ATTEMPTS = 5;
const DETAILS_RETRY_MS = 20;

/** Details of a holder that it learns after it acquired the lock. */
type HolderDetails = Pick<LockHolder, "port" | "host" | "localToken">;

/** A held lock on a state folder. */
export interface StateLock {
  /**
   * Adds to the details of the holder.
   * @throws StoreClosedError after release
   */
  setHolder(details: HolderDetails): Promise<void>;
  /**
   * Releases the lock. A second call does nothing.
   * @throws StoreUnavailableError when the holder's details cannot be deleted; the lock is free
   *   then
   */
  release(): Promise<void>;
}

/**
 * Acquires the lock of a state folder for one holder on this machine (GW-008). A lock whose holder was
 * killed is free at once. A damaged lock file is emptied and its contents are kept as `.damaged`, unless the
 * process named in its details is running.
 * @param file - path of the lock file, whose folder must exist; the holder's details are stored
 *   next to it
 * @param holder - details of this process for others to read
 * @param waitMs - time to wait for a holder that releases it, in milliseconds
 * @throws StateLockedError when another process, or this one, holds it
 * @throws StoreUnavailableError when the lock file or the details cannot be written
 */
export async function acquireStateLock(
  file: string,
  holder: { pid: number; startedAt: number },
  waitMs = 0,
): Promise<StateLock> {
  const path = resolve(file);
  await ensurePrivateFile(path);
  const until = performance.now() + waitMs;
  // SQLite waits by blocking the thread, which the attempts of a caller that waits anyway do not need.
  const timeoutMs = waitMs > 0 ? 0 : ACQUIRE_TIMEOUT_MS;
  let database = takeWholeLock(path, timeoutMs);
  while (database === undefined && performance.now() < until) {
    await delay(RETRY_MS);
    database = takeWholeLock(path, timeoutMs);
  }
  if (database === undefined) throw new StateLockedError(path, await awaitDetails(path));
  try {
    writeDetails(path, holder);
  } catch (error) {
    database.close();
    throw error;
  }
  return new FileStateLock(path, database, holder);
}

/**
 * Returns true when any process, including this one, holds a lock.
 * @param file - path of the lock file; without the file the lock is free
 * @throws StoreUnavailableError when the lock file cannot be read
 */
export async function isLocked(file: string): Promise<boolean> {
  const path = resolve(file);
  if ((await fileIdentity(path)) === undefined) return false;
  try {
    const database = takeLock(path, "shared", 0);
    database?.close();
    return database === undefined;
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const holder = readDetails(path);
    return holder !== undefined && isRunning(holder.pid);
  }
}

/**
 * Returns the holder of a lock, or undefined when it is free. While a new holder acquires the lock,
 * its details may be missing, or be those of a holder that was killed.
 * @param file - path of the lock file
 * @throws StoreUnavailableError when the lock file or the details cannot be read
 */
export async function readHolder(file: string): Promise<LockHolder | undefined> {
  const path = resolve(file);
  return (await isLocked(path)) ? readDetails(path) : undefined;
}

class FileStateLock implements StateLock {
  readonly #path: string;
  readonly #database: BetterSqlite.Database;
  #holder: LockHolder;

  constructor(path: string, database: BetterSqlite.Database, holder: LockHolder) {
    this.#path = path;
    this.#database = database;
    this.#holder = holder;
  }

  async setHolder(details: HolderDetails): Promise<void> {
    if (!this.#database.open) {
      throw new StoreClosedError(`state lock ${this.#path}`, "acquire it again first");
    }
    this.#holder = { ...this.#holder, ...details };
    writeDetails(this.#path, this.#holder);
  }

  async release(): Promise<void> {
    if (!this.#database.open) return;
    // In this order: once the lock is free, the details may belong to another process.
    try {
      deleteDetails(this.#path);
    } finally {
      this.#database.close();
    }
  }
}

/**
 * Empties a damaged lock file and locks it. Emptying keeps the file, which other processes may lock at the
 * same moment; replacing it would not.
 */
function takeWholeLock(path: string, timeoutMs: number): BetterSqlite.Database | undefined {
  try {
    return takeLock(path, "exclusive", timeoutMs);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const holder = readDetails(path);
    if (holder !== undefined && isRunning(holder.pid)) return undefined;
    try {
      copyFileSync(path, `${path}.damaged`);
      truncateSync(path, 0);
    } catch (cause) {
      throw fileFailure(path, cause);
    }
    return takeLock(path, "exclusive", ACQUIRE_TIMEOUT_MS);
  }
}

function isDamaged(error: unknown): boolean {
  return StoreUnavailableError.isInstance(error) && error.reason === "corrupt";
}

/** Returns true when another process is running, including one of another user that cannot be signalled. */
export function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Returns an open database that holds the lock, or undefined when another process holds it. */
function takeLock(
  path: string,
  kind: "exclusive" | "shared",
  timeout: number,
): BetterSqlite.Database | undefined {
  try {
    const database = new BetterSqlite(path, { fileMustExist: true, timeout });
    try {
      // Nothing is ever written, so the lock needs no journal file.
      database.pragma("journal_mode = memory");
      database.exec(
        kind === "exclusive" ? "begin exclusive" : "begin; select * from sqlite_schema",
      );
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw translateSqliteError(path, error);
  }
}

async function awaitDetails(path: string): Promise<LockHolder | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const holder = await readHolder(path);
    if (holder !== undefined || attempt === DETAILS_ATTEMPTS) return holder;
    await delay(DETAILS_RETRY_MS);
  }
}

function detailsOf(path: string): string {
  return `${path}.json`;
}

function writeDetails(path: string, holder: LockHolder): void {
  const file = detailsOf(path);
  const draft = `${file}.tmp`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } catch (error) {
    throw fileFailure(file, error);
  }
}

function deleteDetails(path: string): void {
  try {
    rmSync(detailsOf(path), { force: true });
  } catch (error) {
    throw fileFailure(detailsOf(path), error);
  }
}

function readDetails(path: string): LockHolder | undefined {
  try {
    const details: unknown = JSON.parse(readFileSync(detailsOf(path), "utf8"));
    return isHolder(details) ? details : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw fileFailure(detailsOf(path), error);
  }
}

function isHolder(value: unknown): value is LockHolder {
  return (
    isJsonObject(value) &&
    typeof value.pid === "number" &&
    typeof value.startedAt === "number" &&
    (value.port === undefined || typeof value.port === "number") &&
    (value.localToken === undefined || typeof value.localToken === "string")
  );
}
