import { randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { access, type FileHandle, lstat, mkdir, open, readdir, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { KeyedMutex, nearestNames, withSuggestion } from "@openclaw/foundation";
import { FileReplacementError, moveOver } from "@openclaw/foundation/file-replacement";
import { ToolRefusalError } from "../errors.js";
import { systemErrorCode } from "../system-error.js";
import { PinnedDirectory } from "./pinned-directory.js";
import { realPathOf } from "./real-path.js";
import type { WorkspacePaths } from "./workspace-paths.js";

/** Neither follows a link put in place at the last moment, nor waits for the writer of a pipe. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const NEW_FILE_MODE = 0o666;
const PERMISSION_BITS = 0o7777;

/** One for the process: several sets of tools may write the same file. */
const replacements = new KeyedMutex();

/** Stands for one state of one file: if anything about it differs, the file was changed. */
export type FileVersion = Readonly<
  Pick<BigIntStats, "dev" | "ino" | "size" | "mode" | "mtimeNs" | "ctimeNs">
>;

/** A regular file that is open for reading and known to lie inside the workspace. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly realPath: string;
  readonly size: number;
  readonly version: FileVersion;
}

/**
 * Opens a file for reading through its folder, so that swapping a folder on the way for a link
 * between check and open gains nothing.
 * @param paths - the boundary
 * @param given - the path as the caller wrote it
 * @returns the open file; the caller closes `handle`
 * @throws ToolRefusalError when it is outside, missing (naming similar files), or not a regular file
 */
export async function openWorkspaceFile(paths: WorkspacePaths, given: string): Promise<OpenedFile> {
  return await openFile(paths, given, await paths.resolveReadable(given));
}

/**
 * Opens a file like {@link openWorkspaceFile}, also outside the workspace. Only for tools whose calls there need
 * approval.
 * @param paths - the boundary
 * @param given - the path as the caller wrote it
 * @returns the open file; the caller closes `handle`
 * @throws ToolRefusalError
 */
export async function openApprovedFile(paths: WorkspacePaths, given: string): Promise<OpenedFile> {
  return await openFile(paths, given, (await paths.resolveApprovable(given)).realPath);
}

async function openFile(
  paths: WorkspacePaths,
  given: string,
  realPath: string,
): Promise<OpenedFile> {
  const folder = await PinnedDirectory.open(dirname(realPath));
  if (folder === undefined) {
    const isMissing = (await versionOf(realPath)) === undefined;
    throw isMissing ? await notFound(paths, given, realPath) : changedMeanwhile(given);
  }
  try {
    const path = folder.path(basename(realPath) || ".");
    const handle = await openToRead(path, async (code) => {
      if (code === "ENOENT") return await notFound(paths, given, realPath);
      if (code === "ELOOP") return changedMeanwhile(given);
      // A socket cannot be opened at all.
      if (code === "ENXIO") return wrongKind(given, await lstat(path, { bigint: true }));
      return undefined;
    });
    try {
      const opened = await handle.stat({ bigint: true });
      if (!opened.isFile()) throw wrongKind(given, opened);
      if (!(await folder.isInPlace())) throw changedMeanwhile(given);
      return { handle, realPath, size: Number(opened.size), version: opened };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } finally {
    await folder.close();
  }
}

async function openToRead(
  path: string,
  refusalFor: (code: string) => Promise<ToolRefusalError | undefined>,
): Promise<FileHandle> {
  try {
    return await open(path, READ_FLAGS);
  } catch (error) {
    throw (await refusalFor(systemErrorCode(error) ?? "")) ?? error;
  }
}

/** Result of {@link replaceWorkspaceFile}. */
export interface Replacement {
  readonly realPath: string;
  /** False when a file was there before. */
  readonly created: boolean;
  /** The topmost folder that had to be made for it. */
  readonly madeFolder: string | undefined;
}

/** Options of {@link replaceWorkspaceFile}. */
export interface ReplacementOptions {
  /** The version the content was derived from, or `absent`; any may be replaced when not given. */
  readonly expected?: FileVersion | "absent";
  /** Permission bits of a file that was not there before; those of the system when not given. */
  readonly mode?: bigint | undefined;
}

/**
 * Writes a whole file at once: a temporary file in the same folder is written, synchronised and renamed
 * over it, so a reader sees the old or the new content, never a part. An existing file keeps its permission
 * bits; missing parent folders are made. Within the process nothing comes between the check of `expected`
 * and the rename; another process could, in a moment of microseconds.
 * @param paths - the boundary
 * @param given - the path as the caller wrote it
 * @param content - the new content
 * @param options - expected version and permission bits
 * @throws ToolRefusalError when the path is outside, is not a regular file, or is no longer the expected
 *   version
 */
export async function replaceWorkspaceFile(
  paths: WorkspacePaths,
  given: string,
  content: string,
  options: ReplacementOptions = {},
): Promise<Replacement> {
  const realPath = await paths.resolve(given);
  try {
    return await replacements.run(realPath, () => replace(given, realPath, content, options));
  } catch (error) {
    if (FileReplacementError.isInstance(error)) {
      const problem = `"${given}" is mounted on its own and cannot be written. Ask the operator to mount its folder, or to mount it with write access.`;
      throw new ToolRefusalError("system", problem, { cause: error });
    }
    // A folder of the path was removed during the write.
    if (systemErrorCode(error) === "ENOENT") throw changedMeanwhile(given);
    throw error;
  }
}

async function replace(
  given: string,
  realPath: string,
  content: string,
  { expected, mode }: ReplacementOptions,
): Promise<Replacement> {
  assertFile(given, await versionOf(realPath));
  const parent = dirname(realPath);
  const madeFolder = await makeFolder(given, parent);
  const folder = await PinnedDirectory.open(parent);
  if (folder === undefined) throw changedMeanwhile(given);
  try {
    const target = folder.path(basename(realPath));
    const existing = await versionOf(target);
    assertFile(given, existing);
    // A rename would ignore the write protection of the file itself.
    if (existing !== undefined) await access(target, constants.W_OK);
    const temporary = folder.path(`.openclaw-${randomUUID()}.tmp`);
    try {
      await writeSynchronised(temporary, content, existing?.mode ?? mode);
      const outdated = expected !== undefined && !isExpected(expected, await versionOf(target));
      if (outdated || !(await folder.isInPlace())) throw changedMeanwhile(given);
      moveOver(temporary, target);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
    return { realPath, created: existing === undefined, madeFolder };
  } finally {
    await folder.close();
  }
}

function assertFile(given: string, existing: BigIntStats | undefined): void {
  if (existing !== undefined && !existing.isFile()) throw wrongKind(given, existing);
}

async function makeFolder(given: string, folder: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw new ToolRefusalError(
      "wrong-kind",
      `"${given}" cannot be written, because a part of that path is a file, not a folder. Choose another path.`,
      { cause: error },
    );
  }
}

async function writeSynchronised(
  path: string,
  content: string,
  mode: bigint | undefined,
): Promise<void> {
  const handle = await open(path, CREATE_FLAGS, NEW_FILE_MODE);
  try {
    await handle.writeFile(content);
    if (mode !== undefined) await handle.chmod(Number(mode) & PERMISSION_BITS);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function versionOf(realPath: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(realPath, { bigint: true });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function isExpected(expected: FileVersion | "absent", found: FileVersion | undefined): boolean {
  if (expected === "absent") return found === undefined;
  return (
    found !== undefined &&
    found.dev === expected.dev &&
    found.ino === expected.ino &&
    found.size === expected.size &&
    found.mtimeNs === expected.mtimeNs &&
    found.ctimeNs === expected.ctimeNs
  );
}

/**
 * Returns the error for a file that has changed meanwhile.
 * @param given - the path as the caller wrote it
 */
export function changedMeanwhile(given: string): ToolRefusalError {
  return new ToolRefusalError(
    "changed-meanwhile",
    `"${given}" was changed by something else at the same moment; nothing was done. Read it again, then retry.`,
  );
}

function wrongKind(given: string, stats: BigIntStats): ToolRefusalError {
  if (stats.isDirectory()) {
    return new ToolRefusalError(
      "wrong-kind",
      `"${given}" is a folder, not a file. Use list to see what is in it.`,
    );
  }
  const kind = stats.isFIFO()
    ? "a named pipe"
    : stats.isSocket()
      ? "a socket"
      : stats.isSymbolicLink()
        ? "a symbolic link"
        : "a device";
  return new ToolRefusalError(
    "wrong-kind",
    `"${given}" is ${kind}, not a file. Give the path of a regular file.`,
  );
}

/**
 * Returns the error for a path that does not exist, with similar entries of the nearest existing parent
 * folder.
 * @param paths - the boundary; names inside the state folder are not offered
 * @param given - the path as the caller wrote it
 * @param realPath - the real path behind it
 */
export async function notFound(
  paths: WorkspacePaths,
  given: string,
  realPath: string,
): Promise<ToolRefusalError> {
  let missing = realPath;
  let folder = dirname(realPath);
  while (folder !== missing && (await versionOf(folder)) === undefined) {
    missing = folder;
    folder = dirname(folder);
  }
  if (!(await paths.isInside(folder))) {
    return new ToolRefusalError(
      "not-found",
      `"${given}" does not exist. Give the path of something that exists.`,
    );
  }
  const shown = await paths.display(folder);
  const near: string[] = [];
  for (const name of nearestNames(basename(missing), await namesIn(folder))) {
    const path = await realPathOf(join(folder, name));
    if (await paths.isInside(path)) near.push(join(shown, name));
  }
  return new ToolRefusalError(
    "not-found",
    withSuggestion(`"${given}" does not exist`, near, `use list on "${shown}" to see what exists.`),
  );
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // Suggestions are optional: a parent that is a file, closed or missing provides none.
    if (systemErrorCode(error) !== undefined) return [];
    throw error;
  }
}
