import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";

/** Folders in which programs are searched for. */
export interface ProgramSearch {
  /** Value of `PATH`. Relative folders in it are ignored. */
  readonly path: string;
  /** Folder that a relative path of a program starts from. */
  readonly workdir: string;
}

/**
 * Returns the real path of the program that a word of a command names, following links.
 * @param word - for example `git` or `./run.sh`
 * @param search - folders to search
 * @returns undefined when the program is not found
 */
export async function programPath(
  word: string,
  { path, workdir }: ProgramSearch,
): Promise<string | undefined> {
  const places = word.includes("/")
    ? [resolve(workdir, word)]
    : path
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => resolve(folder, word));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      if ((await stat(place)).isFile()) return await realpath(place);
    } catch {
      // Missing or not executable: the next folder may have it.
    }
  }
  return undefined;
}
