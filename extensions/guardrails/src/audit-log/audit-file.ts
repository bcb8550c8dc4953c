import type { Stats } from "node:fs";
import { appendFile, mkdir, readFile, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { moveAside, removeFile } from "@openclaw/plugin-sdk/plugin-entry";
import type { AuditEntry } from "./entry.js";

/** Size and number of the files. */
export interface FileRotation {
  /** Size in bytes at which a file is closed. */
  readonly maxBytes: number;
  /** Number of closed files that are kept, as `<file>.1` (the newest) and so on. */
  readonly keep: number;
}

/** Copy of the audit log as JSON lines, which only the owner of the process can read. */
export class AuditFile {
  readonly path: string;
  readonly #rotation: FileRotation;

  /**
   * @param path - file to append to
   * @param rotation - size and number of files
   */
  constructor(path: string, rotation: FileRotation) {
    this.path = path;
    this.#rotation = rotation;
  }

  /**
   * Appends entries.
   * @param entries - entries in order
   * @throws the error of the file system, for example on a full disk
   */
  async append(entries: readonly AuditEntry[]): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    const size = await sizeOf(this.path);
    if (size > 0 && size + Buffer.byteLength(lines) > this.#rotation.maxBytes) await this.#rotate();
    await appendFile(this.path, lines, { mode: 0o600, flush: true });
  }

  /**
   * Removes the beginning of a line that was not written to its end, for example on a full disk.
   * @returns number of the newest entry in the current file or the one before it; 0 when there is none
   */
  async repair(): Promise<number> {
    // A device such as a pipe has nothing to read, or without end.
    if (!(await isRegular(this.path))) return 0;
    await removePartialLine(this.path);
    for (const path of [this.path, `${this.path}.1`]) {
      const entries = await readAuditFile(path);
      const last = entries.at(-1);
      if (last !== undefined) return last.seq;
    }
    return 0;
  }

  async #rotate(): Promise<void> {
    const { keep } = this.#rotation;
    if (keep === 0) {
      await removeFile(this.path);
      return;
    }
    for (let number = keep - 1; number >= 1; number -= 1) {
      await moveIfPresent(`${this.path}.${number}`, `${this.path}.${number + 1}`);
    }
    await moveIfPresent(this.path, `${this.path}.1`);
  }
}

/**
 * Reads a file of the audit log. A last line that was not written to its end is left out.
 * @param path - the file
 * @returns its entries; none when there is no such file
 * @throws SyntaxError for a line that is not JSON
 */
export async function readAuditFile(path: string): Promise<readonly AuditEntry[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  const lines = text.split("\n");
  // After a complete line the last part is empty; otherwise it is the beginning of one.
  lines.pop();
  return lines.filter((line) => line !== "").map((line): AuditEntry => JSON.parse(line));
}

async function removePartialLine(path: string): Promise<void> {
  try {
    const content = await readFile(path);
    const end = content.lastIndexOf("\n") + 1;
    if (end < content.length) await truncate(path, end);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await statOf(path))?.size ?? 0;
}

/** Returns true for a file, and for a path where there is nothing yet. */
async function isRegular(path: string): Promise<boolean> {
  return (await statOf(path))?.isFile() ?? true;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function moveIfPresent(from: string, to: string): Promise<void> {
  try {
    await moveAside(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
