import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";

/** Where programs are looked for. */
export interface ProgramSearch {
  /** The value of PATH. Relative folders in it are passed over. */
  readonly path: string;
  /** Folder that a program named by a relative path lies in. */
  readonly workdir: string;
}

/**
 * The real path of the program that a word of a command names, links followed.
 * @param word - for example `git` or `./run.sh`
 * @param search - where to look
 * @returns undefined when there is no such program
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
      // Not there, or not for us: the next folder may have it.
    }
  }
  return undefined;
}
