import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { isPrivate } from "./private-file.js";

const HOME = /^~/;
/** Holds nothing and keeps nothing. */
const NOWHERE = "/dev/null";

/** The folders in which a command may run; undefined when that is not known. */
export type Folders = readonly string[] | undefined;

/** Which files the command of one call may reach, all by their real paths. */
export class Workspace {
  /** Real path. */
  readonly root: string;
  readonly #state: string | undefined;

  private constructor(root: string, state: string | undefined) {
    this.root = root;
    this.#state = state;
  }

  /**
   * Looks up where the workspace really is.
   * @param dir - absolute
   * @param stateDir - the host's state folder, absolute, which is private; undefined where it is not known
   */
  static async at(dir: string, stateDir?: string): Promise<Workspace> {
    const root = await realPathOf(dir);
    const state = stateDir === undefined ? undefined : await realPathOf(stateDir);
    // A workspace may lie in the state folder; then none of it is below the workspace.
    return new Workspace(root, state !== undefined && isInside(state, root) ? state : undefined);
  }

  /** Whether a real path is in the workspace. */
  holds(realPath: string): boolean {
    return isInside(realPath, this.root);
  }

  /**
   * Whether a path lies in the workspace, whichever of the folders it is relative to.
   * @param path - as written
   * @param folders - where the command may run
   */
  async includes(path: string, folders: Folders): Promise<boolean> {
    const paths = await this.locate(path, folders);
    return paths?.every((found) => this.holds(found)) ?? false;
  }

  /**
   * Returns whether what a path names lies in the workspace and is not private.
   * @param path - as written
   * @param folders - where the command may run
   */
  async mayBeRead(path: string, folders: Folders): Promise<boolean> {
    const found = await this.locate(path, folders);
    if (found === undefined || isPrivate(path)) return false;
    return found.every(
      (real) =>
        this.holds(real) &&
        !isPrivate(relative(this.root, real)) &&
        (this.#state === undefined || !isInside(real, this.#state)),
    );
  }

  /**
   * Returns whether the host's state folder lies in a folder, for programs that read all of it.
   * @param path - as written
   * @param folders - where the command may run
   */
  async holdsState(path: string, folders: Folders): Promise<boolean> {
    const state = this.#state;
    if (state === undefined) return false;
    return ((await this.locate(path, folders)) ?? []).some((real) => isInside(state, real));
  }

  /**
   * The real paths that a path may mean; undefined when that is not known.
   * @param path - as written
   * @param folders - where the command may run
   */
  async locate(path: string, folders: Folders): Promise<string[] | undefined> {
    // Which home is meant decides the shell.
    if (path === NOWHERE) return [];
    if (folders === undefined || HOME.test(path) || path.includes("\0")) return undefined;
    return Promise.all(folders.map((folder) => realPathOf(spelledOut(folder, path))));
  }
}

/**
 * Returns whether a path is a folder or lies in it, by its spelling.
 * @param path - absolute
 * @param folder - absolute
 */
export function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** Keeps every `..`, because what they mean depends on the links before them. */
function spelledOut(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

/** Of a path that is not there, the real path of the nearest folder above that is, and the rest. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realPathOf(above), path.slice(above.length));
  }
}
