import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
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

/** Codes of a rename onto a file that is mounted separately, or whose folder cannot rename. */
const NOT_RENAMED = new Set(["EBUSY", "EXDEV"]);
/** Codes of a folder in which no file can be created. */
const NOT_WRITABLE = new Set(["EROFS", "EACCES", "EPERM"]);

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
    if (!NOT_RENAMED.has(codeOf(error))) throw error;
    writeInPlace(draft, file, error);
    rmSync(draft, { force: true });
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
    const [before, after] = [readFileSync(file), readFileSync(draft)];
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    isKept = true;
    const target = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      try {
        overwrite(target, after);
      } catch (error) {
        // When this fails too, the backup has the only whole copy: it stays.
        restore(target, before, backup);
        throw error;
      }
    } finally {
      closeSync(target);
    }
  } catch (error) {
    if (FileReplacementError.isInstance(error)) throw error;
    if (isKept) rmSync(backup, { force: true });
    throw new FileReplacementError(
      file,
      `it is mounted separately (${errorMessage(cause)}), and it cannot be written in place (${errorMessage(error)})`,
      "mount the folder instead of the file, or mount the file with write access",
      error,
    );
  }
  rmSync(backup, { force: true });
}

function restore(target: number, content: Uint8Array, backup: string): void {
  try {
    overwrite(target, content);
  } catch (error) {
    throw new FileReplacementError(
      "the file",
      `writing it in place stopped in the middle (${errorMessage(error)})`,
      `copy its old content back from ${backup}`,
      error,
    );
  }
}

function overwrite(target: number, content: Uint8Array): void {
  let written = 0;
  while (written < content.length) {
    written += writeSync(target, content, written, content.length - written, written);
  }
  ftruncateSync(target, content.length);
  fsyncSync(target);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
