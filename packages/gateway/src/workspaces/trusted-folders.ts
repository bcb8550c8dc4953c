import { readFileSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { writePrivateFile } from "@openclaw/foundation/file-replacement";

/**
 * Folders that the user trusts, and those that the user does not: instructions, skills and plugins in a trusted folder
 * are used. The list is a file of the state folder, whose version is checked at each use, because commands change it while a
 * gateway runs.
 */
export class TrustedFolders {
  readonly #file: string;
  #parsed: { readonly version: string; readonly folders: ReadonlyMap<string, boolean> } | undefined;

  /** @param file - path of the file, which need not exist */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns true when a folder, or a folder that contains it, is trusted, and the folder itself was not declined.
   * @param folder - real path
   */
  includes(folder: string): boolean {
    const folders = this.#read();
    const own = folders.get(folder);
    if (own !== undefined) return own;
    return [...folders].some(([trusted, isTrusted]) => isTrusted && contains(trusted, folder));
  }

  /**
   * Returns true when the user was asked about a folder, or trusts one that contains it.
   * @param folder - real path
   */
  isDecided(folder: string): boolean {
    return this.#read().has(folder) || this.includes(folder);
  }

  /**
   * Records a decision about a folder and the folders in it.
   * @param folder - real path
   * @param isTrusted - the decision
   */
  decide(folder: string, isTrusted: boolean): void {
    const folders = new Map(this.#read()).set(folder, isTrusted);
    writePrivateFile(this.#file, `${JSON.stringify(Object.fromEntries(folders), null, 2)}\n`);
  }

  /** A file that cannot be read trusts nothing. */
  #read(): ReadonlyMap<string, boolean> {
    try {
      const stats = statSync(this.#file, { throwIfNoEntry: false, bigint: true });
      if (stats === undefined) return new Map();
      const version = `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.size}`;
      if (this.#parsed?.version !== version) {
        this.#parsed = { version, folders: parse(readFileSync(this.#file, "utf8")) };
      }
      return this.#parsed.folders;
    } catch {
      return new Map();
    }
  }
}

function parse(text: string): ReadonlyMap<string, boolean> {
  const content: unknown = JSON.parse(text);
  if (typeof content !== "object" || content === null) return new Map();
  return new Map(Object.entries(content).map(([folder, value]) => [folder, value === true]));
}

function contains(outer: string, folder: string): boolean {
  const path = relative(outer, folder);
  return path === "" || !(isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`));
}
