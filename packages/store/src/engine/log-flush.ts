import { fdatasync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import type { StoreUnavailableError } from "../errors.js";
import { fileFailure } from "./database-file.js";

/** Flushes the written data of an open file to the disk. */
export type FlushFile = (descriptor: number) => Promise<void>;

const flushData: FlushFile = promisify(fdatasync);

/** A flush that is running, and the number of commits that it covers. */
interface RunningFlush {
  readonly covers: number;
  readonly done: Promise<void>;
}

/**
 * Makes commits durable without blocking the process. SQLite writes commits to its write-ahead log; one flush
 * of that file covers every commit that ended before the flush began, so that commits share it.
 *
 * This holds for a checkpoint that restarts the log in between: SQLite flushes the log before it copies pages
 * to the database, and flushes the database before the log may restart (`synchronous = normal`). A commit whose
 * pages were overwritten in the log is durable in the database; any other is still in the log.
 */
export class LogFlush {
  readonly #file: string;
  readonly #log: FileHandle;
  readonly #flushFile: FlushFile;
  #committed = 0;
  #durable = 0;
  #running: RunningFlush | undefined;
  #waiting: Promise<void> | undefined;
  #failure: StoreUnavailableError | undefined;

  private constructor(file: string, log: FileHandle, flushFile: FlushFile) {
    this.#file = file;
    this.#log = log;
    this.#flushFile = flushFile;
  }

  /**
   * Opens the log of a database. Never opens the database itself: closing any descriptor of that file would
   * drop the locks that SQLite holds on it for the whole process.
   * @param file - path of the database, which is open in write-ahead mode
   * @param flushFile - flushes a file; default `fdatasync`
   * @throws StoreUnavailableError when the log cannot be opened
   */
  static async open(file: string, flushFile: FlushFile = flushData): Promise<LogFlush> {
    const path = `${file}-wal`;
    try {
      // Windows only flushes files that are open for writing.
      return new LogFlush(file, await open(path, "r+"), flushFile);
    } catch (error) {
      throw fileFailure(path, error);
    }
  }

  /** Counts a commit that has ended and may have written to the log. */
  committed(): void {
    this.#committed += 1;
  }

  /**
   * Throws if a flush has failed: the operating system may have dropped what it could not write, so no later
   * flush could make it durable.
   * @throws StoreUnavailableError
   */
  requireIntact(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Waits until every commit counted so far is durable.
   * @returns undefined when they are durable already
   * @throws StoreUnavailableError when a flush has failed
   */
  durable(): Promise<void> | undefined {
    this.requireIntact();
    if (this.#durable === this.#committed) return undefined;
    if (this.#running?.covers === this.#committed) return this.#running.done;
    this.#waiting ??= this.#flushNext();
    return this.#waiting;
  }

  /** Waits for running flushes, then closes the log. */
  async close(): Promise<void> {
    await this.#waiting?.catch(() => undefined);
    await this.#running?.done.catch(() => undefined);
    await this.#log.close();
  }

  /** Flushes once the running flush has ended, for all commits that have ended by then. */
  async #flushNext(): Promise<void> {
    await this.#running?.done.catch(() => undefined);
    this.#waiting = undefined;
    this.requireIntact();
    const running = { covers: this.#committed, done: this.#flush(this.#committed) };
    this.#running = running;
    await running.done;
  }

  async #flush(covers: number): Promise<void> {
    try {
      await this.#flushFile(this.#log.fd);
      this.#durable = covers;
    } catch (error) {
      this.#failure = fileFailure(this.#file, error, "flush-failed");
      throw this.#failure;
    } finally {
      this.#running = undefined;
    }
  }
}
