import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** File to which complete lines are appended at once, readable only by its user. */
export class LineFile {
  readonly #file: string;
  #descriptor: number | undefined;
  /** True when the file ends with a part of a line, which a full disk cut off. */
  #isCut = false;

  /**
   * Opens the file.
   * @param file - path; its folder is created
   * @throws the error of the file system
   */
  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    this.#descriptor = openSync(file, "a", 0o600);
  }

  /**
   * Appends a line. After an error the line is lost; the next call tries again with its own line.
   * @param line - line with its line break
   * @throws the error of the file system
   */
  write(line: string): void {
    this.#descriptor ??= openSync(this.#file, "a", 0o600);
    const bytes = Buffer.from(this.#isCut ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#isCut = false;
    } catch (error) {
      this.#isCut ||= written > 0;
      throw error;
    }
  }

  /** Closes the file; the next line opens the file that then has its path. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#isCut = false;
  }
}
