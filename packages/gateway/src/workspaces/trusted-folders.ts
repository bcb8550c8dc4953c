import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";

/**
 * Folders that the user trusts: instructions, skills and plugins in them are used. The list is a file of the state
 * folder and is read at each use, because commands change it while a gateway runs.
 */
export class TrustedFolders {
  readonly #file: string;

  /** @param file - path of the file, which need not exist */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Returns true when a folder, or a folder that contains it, is trusted.
   * @param folder - real path
   */
  includes(folder: string): boolean {
    return this.#read().some((trusted) => {
      const path = relative(trusted, folder);
      return path === "" || !(isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`));
    });
  }

  /**
   * Trusts a folder and the folders in it.
   * @param folder - real path
   */
  add(folder: string): void {
    if (this.includes(folder)) return;
    const folders = [...this.#read(), folder];
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const temporary = `${this.#file}.${process.pid}.tmp`;
    writeFileSync(temporary, `${JSON.stringify(folders, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, this.#file);
  }

  /** A file that cannot be read trusts nothing. */
  #read(): readonly string[] {
    try {
      const content: unknown = JSON.parse(readFileSync(this.#file, "utf8"));
      return Array.isArray(content) ? content.filter((each) => typeof each === "string") : [];
    } catch {
      return [];
    }
  }
}
