import { chmod, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StoreUnavailableError, type UnavailableReason } from "../errors.js";

const OWNER_ONLY = 0o600;

const REASONS: Readonly<Record<string, UnavailableReason>> = {
  ENOENT: "missing-folder",
  ENOTDIR: "missing-folder",
  EROFS: "read-only",
  ENOSPC: "full",
  EDQUOT: "full",
  EIO: "input-output",
};

/**
 * Ensures that a database file exists that only its owner may read or write. The engine gives its
 * side files (`-wal`, `-shm`, `-journal`) the mode of the main file.
 *
 * Never opens an existing file: closing any descriptor of a file would drop the locks that this
 * process already holds on it.
 * @param file - absolute path; its folder must exist
 * @throws StoreUnavailableError when the file cannot be created or its mode cannot be narrowed
 */
export async function ensurePrivateFile(file: string): Promise<void> {
  try {
    const created = await open(file, "wx", OWNER_ONLY);
    await created.close();
    return;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw fileFailure(file, error);
  }
  await narrowMode(file);
  for (const suffix of ["-wal", "-shm", "-journal"]) await narrowMode(file + suffix);
}

/** Identity of a file, which distinguishes it from a later file at the same path. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * Returns the identity of the file at a path, or undefined when there is none.
 * @param file - absolute path
 */
export async function fileIdentity(file: string): Promise<FileIdentity | undefined> {
  try {
    const { dev, ino } = await stat(file, { bigint: true });
    return { device: dev, inode: ino };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw fileFailure(file, error);
  }
}

/**
 * Returns the path of a database with all links resolved, so that one file has one path.
 * @param file - absolute path; its folder must exist
 * @throws StoreUnavailableError when the folder does not exist, or the links are circular
 */
export async function realDatabaseFile(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw fileFailure(file, error);
  }
  try {
    const isLink = await lstat(file).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    if (isLink) return await realDatabaseFile(resolve(dirname(file), await readlink(file)));
    return join(await realpath(dirname(file)), basename(file));
  } catch (error) {
    if (StoreUnavailableError.isInstance(error)) throw error;
    throw fileFailure(file, error);
  }
}

async function narrowMode(file: string): Promise<void> {
  try {
    const found = await stat(file);
    if (found.isFile() && (found.mode & 0o077) !== 0) await chmod(file, OWNER_ONLY);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw fileFailure(file, error);
  }
}

/**
 * Converts a failed file operation to a StoreUnavailableError.
 * @param file - path of the file
 * @param cause - the error of the operation
 * @param reason - default by the code of the error
 */
export function fileFailure(
  file: string,
  cause: unknown,
  reason: UnavailableReason = REASONS[codeOf(cause)] ?? "cannot-open",
): StoreUnavailableError {
  const detail = codeOf(cause);
  return new StoreUnavailableError(file, reason, { detail, cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
