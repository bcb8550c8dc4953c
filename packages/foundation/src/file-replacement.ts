import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorMessage } from "./error-message.js";
import { OpenClawError } from "./open-claw-error.js";

/** A file cannot be replaced, for example because a container mounts it alone. */
export class FileReplacementError extends OpenClawError {
  static override readonly code = "FILE_NOT_REPLACED";
  static override readonly kind = "unavailable";

  /**
   * @param file - path of the file
   * @param problem - continues "cannot be replaced: "
   * @param remedy - next step of the operator
   * @param cause - error of the file system
   */
  constructor(file: string, problem: string, remedy: string, cause: unknown) {
    super(`${file} cannot be replaced: ${problem}; ${remedy}`, { cause });
  }
}

/** Codes of a rename or removal of a file that is mounted separately, or whose folder cannot rename. */
const NOT_RENAMED = new Set(["EBUSY", "EXDEV"]);
/** Codes of a folder in which no file can be created. */
const NOT_WRITABLE = new Set(["EROFS", "EACCES", "EPERM"]);
/** Bytes that are copied at once. */
const CHUNK = 1024 * 1024;

/**
 * Returns true for the error of a rename or a removal that failed because the file is mounted separately, as containers
 * do with a single file.
 * @param error - anything that was thrown
 */
export function isMountError(error: unknown): boolean {
  return NOT_RENAMED.has(codeOf(error));
}

/**
 * Replaces a small file in one step with mode 0600, so that a reader sees the old or the new content, and no other
 * user sees either. Its folder is created.
 * @param file - absolute path
 * @param text - new content
 * @throws FileReplacementError when the file can neither be replaced nor written; its content is the old one
 */
export function writePrivateFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    moveOver(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw draftError(file, error);
  }
}

/**
 * Moves a complete draft over a file, so that a reader sees the old or the new content. A file that is mounted alone, as
 * containers do with a single file, cannot be replaced by a rename: it is written in place, and a copy of its old
 * content is kept next to the draft until that has succeeded.
 * @param draft - file with the new content, in the same folder; it is gone afterwards
 * @param file - absolute path
 * @param rename - renames a file; for tests
 * @throws FileReplacementError when the file can neither be replaced nor written; its content is the old one
 */
export function moveOver(draft: string, file: string, rename = renameSync): void {
  try {
    rename(draft, file);
  } catch (error) {
    if (!isMountError(error)) throw error;
    writeInPlace(draft, file, error);
    rmSync(draft, { force: true });
  }
}

/**
 * Moves a file to another name in its folder, over a file that may have that name, as the rotation of a log does. A file
 * that is mounted alone cannot be moved: it is copied and then emptied. What another process appends at that moment is
 * lost.
 * @param file - absolute path
 * @param aside - path of the moved content
 * @param rename - renames a file; for tests
 * @throws FileReplacementError when the file can neither be moved nor copied and emptied; its content stays
 */
export function moveAside(file: string, aside: string, rename = renameSync): void {
  try {
    rename(file, aside);
  } catch (error) {
    if (!isMountError(error)) throw error;
    try {
      copyWhole(file, aside);
    } catch (problem) {
      throw mountedError(file, error, `cannot be copied to ${aside}`, problem);
    }
    removeFile(file);
  }
}

/**
 * Removes a file, if there is one. A file that is mounted alone cannot be removed: it is emptied.
 * @param file - absolute path
 * @param remove - removes a file; for tests
 * @throws FileReplacementError when the file can neither be removed nor emptied
 */
export function removeFile(file: string, remove: (file: string) => void = unlinkSync): void {
  try {
    remove(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    if (!isMountError(error)) throw error;
    try {
      truncateSync(file);
    } catch (problem) {
      throw mountedError(file, error, "cannot be emptied", problem);
    }
  }
}

/**
 * Returns the error of a draft that could not be written: one with the remedy when the folder is the cause.
 * @param file - file that the draft was to replace
 * @param error - error of the file system
 */
export function draftError(file: string, error: unknown): unknown {
  if (!NOT_WRITABLE.has(codeOf(error))) return error;
  return new FileReplacementError(
    file,
    `its folder is not writable (${errorMessage(error)})`,
    "make the folder writable for this user, and in a container mount the folder instead of the file",
    error,
  );
}

function writeInPlace(draft: string, file: string, cause: unknown): void {
  const backup = `${draft}.old`;
  let isKept = false;
  try {
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    isKept = true;
    const target = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      try {
        copyInto(draft, target);
      } catch (error) {
        // When this fails too, the backup has the only whole copy: it stays.
        restore(backup, target, file);
        throw error;
      }
    } finally {
      closeSync(target);
    }
  } catch (error) {
    if (FileReplacementError.isInstance(error)) throw error;
    if (isKept) rmSync(backup, { force: true });
    throw mountedError(file, cause, "cannot be written in place", error);
  }
  rmSync(backup, { force: true });
}

function restore(backup: string, target: number, file: string): void {
  try {
    copyInto(backup, target);
  } catch (error) {
    throw new FileReplacementError(
      file,
      `writing it in place stopped in the middle (${errorMessage(error)})`,
      `copy its old content back from ${backup}`,
      error,
    );
  }
}

function mountedError(
  file: string,
  cause: unknown,
  problem: string,
  error: unknown,
): FileReplacementError {
  return new FileReplacementError(
    file,
    `it is mounted separately (${errorMessage(cause)}), and it ${problem} (${errorMessage(error)})`,
    "mount the folder instead of the file, or mount the file with write access",
    error,
  );
}

function copyWhole(from: string, to: string): void {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  const target = openSync(to, flags, statSync(from).mode & 0o777);
  try {
    copyInto(from, target);
  } finally {
    closeSync(target);
  }
}

/** Replaces the content of an open file, in chunks: a database or a log may be larger than the memory. */
function copyInto(from: string, target: number): void {
  const source = openSync(from, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let size = 0;
    for (let read = -1; read !== 0; size += read) {
      read = readSync(source, chunk, 0, CHUNK, size);
      for (let written = 0; written < read; ) {
        written += writeSync(target, chunk, written, read - written, size + written);
      }
    }
    ftruncateSync(target, size);
    fsyncSync(target);
  } finally {
    closeSync(source);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
