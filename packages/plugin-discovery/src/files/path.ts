import { realpathSync, type Stats, statSync } from "node:fs";
import { relative, sep } from "node:path";
import { errorMessage } from "@openclaw/foundation";

/**
 * Returns true when a path is inside a folder or is the folder.
 * @param path - absolute path
 * @param folder - absolute path
 */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way));
}

/**
 * Returns the file status of a path, or the error message.
 * @param path - absolute path
 */
export function statsOf(path: string): Stats | string {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? "does not exist";
  } catch (error) {
    return `cannot be read (${errorMessage(error)})`;
  }
}

/**
 * Returns the real path of a file or folder; undefined when it does not exist.
 * @param path - absolute path
 */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
