import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { realPathOf, type Workspace } from "./workspace.js";

/** File that a program word refers to. */
export interface Executable {
  readonly name: string;
  /** Absolute path that is started. */
  readonly path: string;
  /** Path with every link resolved. */
  readonly realPath: string;
}

/**
 * Finds the files of programs as a shell would, but ignores files of the workspace. It caches its
 * results, so each call needs a new instance.
 */
export class ExecutableSearch {
  readonly #folders: readonly string[];
  readonly #found = new Map<string, Promise<Executable | undefined>>();

  /** @param path - `PATH` that commands run with */
  constructor(path: string) {
    this.#folders = path.split(delimiter);
  }

  /**
   * Finds the file that a program word refers to. Files of the workspace are ignored, because tools
   * may write them, so that no rule can approve them by name (APPR-040).
   * @param program - program word as written
   * @param workspace - workspace whose files are ignored
   */
  find(program: string, workspace: Workspace): Promise<Executable | undefined> {
    const found = this.#found.get(program) ?? this.#search(program, workspace);
    this.#found.set(program, found);
    return found;
  }

  async #search(program: string, workspace: Workspace): Promise<Executable | undefined> {
    if (!program.includes("/")) {
      return this.#inPath(program, workspace);
    }
    return isAbsolute(program) ? fileAt(program, workspace) : undefined;
  }

  /**
   * Returns whether a program word refers to the same file as its name alone, which is looked up in
   * `PATH`.
   * @param program - program word as written
   * @param name - name without folder
   * @param workspace - workspace whose files are ignored
   */
  async means(program: string, name: string, workspace: Workspace): Promise<boolean> {
    const found = await this.find(program, workspace);
    if (found?.name !== name) return false;
    if (program === name) return true;
    const usual = await this.#inPath(name, workspace);
    return usual?.realPath === found.realPath;
  }

  async #inPath(name: string, workspace: Workspace): Promise<Executable | undefined> {
    if (name === "") return undefined;
    for (const folder of this.#folders) {
      // A shell would search this folder first, relative to its current folder.
      if (!isAbsolute(folder)) return undefined;
      const file = join(folder, name);
      if (await isExecutable(file)) return fileAt(file, workspace);
    }
    return undefined;
  }
}

async function fileAt(path: string, workspace: Workspace): Promise<Executable | undefined> {
  if (!(await isExecutable(path))) return undefined;
  const realPath = await realPathOf(path);
  if (realPath === undefined || workspace.holds(realPath) || workspace.holds(path))
    return undefined;
  return { name: basename(path), path, realPath };
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
