import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { WorkerWorkspaceError } from "../errors.js";

/** Bounds of the copy of a workspace. */
const MOST_FILES = 50_000;
const MOST_BYTES = 1024 ** 3;

/** Folders that are never copied or applied: their files decide what programs of the host run. */
const CLOSED = new Set([".git", ".openclaw"]);

/** A regular file in a folder. */
export interface TreeFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
}

/**
 * Returns the regular files of a folder by their relative path. Links are not followed, and neither they nor sockets and
 * devices are part of it.
 * @param folder - absolute path
 * @param isLeftOut - returns true for absolute paths that are not part of it
 * @throws WorkerWorkspaceError for more files or bytes than can be compared
 */
export async function readTree(
  folder: string,
  isLeftOut: (path: string) => boolean = () => false,
): Promise<ReadonlyMap<string, TreeFile>> {
  const files = new Map<string, TreeFile>();
  let total = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for await (const entry of await opendir(next)) {
      const path = join(next, entry.name);
      if (CLOSED.has(entry.name) || isLeftOut(path)) continue;
      if (entry.isDirectory()) open.push(path);
      if (!entry.isFile()) continue;
      const { size: bytes, mode } = await lstat(path);
      total += bytes;
      if (files.size >= MOST_FILES || total > MOST_BYTES) throw tooLarge(folder);
      const name = relative(folder, path).split(sep).join("/");
      files.set(name, { path: name, bytes, isExecutable: (mode & 0o100) !== 0 });
    }
  }
  return files;
}

/**
 * Returns the SHA-256 of a file.
 * @param path - absolute path
 */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function tooLarge(folder: string): WorkerWorkspaceError {
  const mebibytes = MOST_BYTES / 1024 ** 2;
  return new WorkerWorkspaceError(
    `${folder} has more than ${MOST_FILES} files or ${mebibytes} MiB, the most that is copied and compared; remove what the task does not need, or let the job work in a smaller workspace`,
  );
}
