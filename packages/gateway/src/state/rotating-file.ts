import { existsSync, renameSync, statSync } from "node:fs";
import { pino } from "pino";

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
 * on, and the oldest is overwritten.
 */
export class RotatingFile {
  readonly #file: string;
  readonly #limits: RotationLimits;
  readonly #destination: ReturnType<typeof pino.destination>;
  readonly #onFailure: (problem: Error) => void;
  #bytes: number;

  /**
   * Opens the file, readable only by its user.
   * @param file - path; its folder is created
   * @param onFailure - receives errors of the file; lines are dropped while it fails
   * @param limits - size and number of files
   */
  constructor(
    file: string,
    onFailure: (problem: Error) => void,
    limits: RotationLimits = ROTATION_LIMITS,
  ) {
    this.#file = file;
    this.#limits = limits;
    this.#onFailure = onFailure;
    this.#destination = pino.destination({ dest: file, mkdir: true, sync: true, mode: 0o600 });
    this.#destination.on("error", onFailure);
    this.#bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Appends a line at once.
   * @param line - line with its line break
   */
  write(line: string): void {
    const size = Buffer.byteLength(line);
    if (this.#bytes > 0 && this.#bytes + size > this.#limits.maximumBytes) this.#rotate();
    this.#destination.write(line);
    this.#bytes += size;
  }

  /** Closes the file. */
  close(): void {
    this.#destination.end();
  }

  /** A file that cannot be renamed is continued: a long log is better than none. */
  #rotate(): void {
    this.#bytes = 0;
    try {
      for (let number = this.#limits.files; number >= 1; number -= 1) {
        const older = number === 1 ? this.#file : `${this.#file}.${number - 1}`;
        if (existsSync(older)) renameSync(older, `${this.#file}.${number}`);
      }
      this.#destination.reopen();
    } catch (error) {
      this.#onFailure(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
