import { existsSync, statSync } from "node:fs";
import { moveAside } from "@openclaw/foundation/file-replacement";
import { LineFile } from "./line-file.js";

/** Size and number of the files of a log. */
export interface RotationLimits {
  /** Size in bytes at which a file is complete. */
  readonly maximumBytes: number;
  /** Number of complete files that are kept. */
  readonly files: number;
}

/** Ten MiB and five older files (GW-048). */
export const ROTATION_LIMITS: RotationLimits = { maximumBytes: 10 * 1024 * 1024, files: 5 };

/**
 * File to which lines are appended. When it is full, it becomes `<file>.1`, the one before it `<file>.2` and so
 * on, and the oldest is overwritten. One that is mounted alone is copied and emptied.
 */
export class RotatingFile {
  readonly #file: string;
  readonly #limits: RotationLimits;
  readonly #lines: LineFile;
  readonly #onFailure: (problem: unknown) => void;
  #bytes: number;

  /**
   * Opens the file, readable only by its user.
   * @param file - path; its folder is created
   * @param onFailure - receives errors of the file; lines are lost while it fails
   * @param limits - size and number of files
   * @throws the error of the file system
   */
  constructor(
    file: string,
    onFailure: (problem: unknown) => void,
    limits: RotationLimits = ROTATION_LIMITS,
  ) {
    this.#file = file;
    this.#limits = limits;
    this.#onFailure = onFailure;
    this.#lines = new LineFile(file);
    this.#bytes = statSync(file).size;
  }

  /**
   * Appends a line at once.
   * @param line - line with its line break
   * @returns false when the line could not be written
   */
  write(line: string): boolean {
    const size = Buffer.byteLength(line);
    if (this.#bytes > 0 && this.#bytes + size > this.#limits.maximumBytes) this.#rotate();
    try {
      this.#lines.write(line);
    } catch (error) {
      this.#onFailure(error);
      return false;
    }
    this.#bytes += size;
    return true;
  }

  /** Closes the file. */
  close(): void {
    this.#lines.close();
  }

  /** A file that cannot be moved is continued: a long log is better than none. */
  #rotate(): void {
    this.#bytes = 0;
    try {
      for (let number = this.#limits.files; number >= 1; number -= 1) {
        const older = number === 1 ? this.#file : `${this.#file}.${number - 1}`;
        if (existsSync(older)) moveAside(older, `${this.#file}.${number}`);
      }
      this.#lines.close();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
