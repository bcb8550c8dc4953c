import { realpath } from "node:fs/promises";
import { isAbsolute, join, parse, relative, sep } from "node:path";
import { isPrivate } from "./private-file.js";

const HOME = /^~/;
/** Holds nothing and keeps nothing. */
const NOWHERE = "/dev/null";

/** Longest path that the file system takes, in bytes; what a longer one would mean is not known. */
const LONGEST_PATH = 4096;
/** Different paths that are looked up for one call; what further ones mean is not known. */
const MOST_LOOKUPS = 1024;
const NAME = sep === "/" ? /[^/]+/g : /[^/\\]+/g;

/** The folders in which a command may run; undefined when that is not known. */
export type Folders = readonly string[] | undefined;

/** Which files the command of one call may reach, all by their real paths. */
export class Workspace {
  /** Real path. */
  readonly root: string;
  readonly #state: string | undefined;
  readonly #lookups = new Map<string, Promise<string | undefined>>();

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
    const root = (await realPathOf(dir)) ?? dir;
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
    const found: string[] = [];
    for (const folder of folders) {
      const real = await this.realPath(spelledOut(folder, path));
      if (real === undefined) return undefined;
      found.push(real);
    }
    return found;
  }

  /**
   * Returns the real path of a path, as {@link realPathOf} does, and looks up each path once for the call.
   * @param path - absolute
   * @returns undefined where it is too long, or too many others were looked up before it
   */
  async realPath(path: string): Promise<string | undefined> {
    const known = this.#lookups.get(path);
    if (known !== undefined || this.#lookups.size >= MOST_LOOKUPS) return known;
    const real = realPathOf(path);
    this.#lookups.set(path, real);
    return real;
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

/**
 * Returns the real path of a path; of one that does not exist that of the nearest folder above it which does, with
 * the rest as it is written. The number of lookups grows with the logarithm of the number of names.
 * @param path - absolute
 * @returns undefined for a path longer than file systems take
 */
export async function realPathOf(path: string): Promise<string | undefined> {
  if (path.length > LONGEST_PATH || Buffer.byteLength(path) > LONGEST_PATH) return undefined;
  const whole = await existingPath(path);
  if (whole !== undefined) return whole;
  const { root } = parse(path);
  const ends = Array.from(
    path.slice(root.length).matchAll(NAME),
    ({ index, 0: name }) => root.length + index + name.length,
  );
  // Where a folder does not exist, nothing below it does.
  let above = { end: root.length, real: root };
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const end = ends[middle] ?? path.length;
    const real = await existingPath(path.slice(0, end));
    if (real === undefined) high = middle;
    else {
      above = { end, real };
      low = middle + 1;
    }
  }
  return join(above.real, path.slice(above.end));
}

async function existingPath(path: string): Promise<string | undefined> {
  return await realpath(path).catch(() => undefined);
}
