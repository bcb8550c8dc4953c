import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { realPathOf, type Workspace } from "./workspace.js";

/** The file that a program word means. */
export interface Executable {
  readonly name: string;
  /** Absolute, as it is started. */
  readonly path: string;
  /** With every link followed. */
  readonly realPath: string;
}

/**
 * Finds the files of programs as the shell would, except that the workspace has none that count. What it
 * found once it takes for the same, so there is one for each call.
 */
export class ExecutableSearch {
  readonly #folders: readonly string[];
  readonly #found = new Map<string, Promise<Executable | undefined>>();

  /** @param path - the PATH that commands run with */
  constructor(path: string) {
    this.#folders = path.split(delimiter);
  }

  /**
   * Finds what a program word means. A file of the workspace, where tools may write, is nothing that a
   * rule can vouch for by name (APPR-040).
   * @param program - as written
   * @param workspace - whose files do not count
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
   * Returns whether a program word means what a name alone would: the file that PATH has for it.
   * @param program - as written
   * @param name - without folder
   * @param workspace - whose files do not count
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
      // The shell would look here first, and what it finds is relative to wherever it stands.
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
