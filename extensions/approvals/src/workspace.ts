import { realpath } from "node:fs/promises";
import { isAbsolute, join, parse, relative, sep } from "node:path";
import { isPrivate } from "./private-file.js";

const HOME = /^~/;
/** Contains nothing and stores nothing. */
const NOWHERE = "/dev/null";

/** Maximum length of a path, in bytes; a longer one is treated as unknown. */
const LONGEST_PATH = 4096;
/**
 * Maximum number of different paths that are resolved for one call; further ones are treated as
 * unknown.
 */
const MOST_LOOKUPS = 1024;
/** Facts about the system, and the files that its packages install for every user. */
const PUBLIC =
  /^\/(?:etc\/(?:os-release|debian_version|lsb-release|redhat-release|alpine-release|issue|timezone|shells)|proc\/(?:cpuinfo|loadavg|meminfo|uptime|version)|usr\/(?:bin|include|lib|share)(?:\/[\w@+.,-]+)*)\/?$/;
const NAME = sep === "/" ? /[^/]+/g : /[^/\\]+/g;

/** Folders in which a command may run; undefined when they are not known. */
export type Folders = readonly string[] | undefined;

/** Files that the command of one call may reach, by their real paths. */
export class Workspace {
  /** Real path of the workspace. */
  readonly root: string;
  readonly #state: string | undefined;
  readonly #lookups = new Map<string, Promise<string | undefined>>();

  private constructor(root: string, state: string | undefined) {
    this.root = root;
    this.#state = state;
  }

  /**
   * Resolves the real path of the workspace.
   * @param dir - absolute path of the workspace
   * @param stateDir - absolute path of the host's state folder, which is private; undefined when it
   *   is not known
   */
  static async at(dir: string, stateDir?: string): Promise<Workspace> {
    const root = (await realPathOf(dir)) ?? dir;
    const state = stateDir === undefined ? undefined : await realPathOf(stateDir);
    // A workspace may be inside the state folder; the state folder is then not inside the
    // workspace.
    return new Workspace(root, state !== undefined && isInside(state, root) ? state : undefined);
  }

  /** Returns whether a real path is in the workspace. */
  holds(realPath: string): boolean {
    return isInside(realPath, this.root);
  }

  /**
   * Returns whether a path is in the workspace, relative to each of the folders.
   * @param path - path as written
   * @param folders - folders in which the command may run
   */
  async includes(path: string, folders: Folders): Promise<boolean> {
    const paths = await this.locate(path, folders);
    return paths?.every((found) => this.holds(found)) ?? false;
  }

  /**
   * Returns whether a path refers to files in the workspace that are not private.
   * @param path - path as written
   * @param folders - folders in which the command may run
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
   * Returns whether the name and properties of a path may be shown: it is in the workspace, or a public part of the system.
   * @param path - path as written
   * @param folders - folders in which the command may run
   */
  async mayBeNamed(path: string, folders: Folders): Promise<boolean> {
    return (await this.includes(path, folders)) || (await this.#isPublic(path, folders));
  }

  /**
   * Returns whether the content of a path may be shown.
   * @param path - path as written
   * @param folders - folders in which the command may run
   */
  async mayBeShown(path: string, folders: Folders): Promise<boolean> {
    return (await this.mayBeRead(path, folders)) || (await this.#isPublic(path, folders));
  }

  async #isPublic(path: string, folders: Folders): Promise<boolean> {
    if (isPrivate(path) || !PUBLIC.test(path)) return false;
    const paths = await this.locate(path, folders);
    return paths?.every((real) => PUBLIC.test(real) && !isPrivate(real)) ?? false;
  }

  /**
   * Returns whether the host's state folder is in a folder, for programs that read folders
   * recursively.
   * @param path - path as written
   * @param folders - folders in which the command may run
   */
  async holdsState(path: string, folders: Folders): Promise<boolean> {
    const state = this.#state;
    if (state === undefined) return false;
    return ((await this.locate(path, folders)) ?? []).some((real) => isInside(state, real));
  }

  /**
   * Returns the real paths that a path may refer to; undefined when they are not known.
   * @param path - path as written
   * @param folders - folders in which the command may run
   */
  async locate(path: string, folders: Folders): Promise<string[] | undefined> {
    // The shell decides which home folder `~` means.
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
   * Returns the real path of a path like {@link realPathOf}, and resolves each path once per call.
   * @param path - absolute path
   * @returns undefined when it is too long, or too many other paths were resolved before
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
 * Returns whether a path is a folder or is inside it, by its spelling.
 * @param path - absolute path
 * @param folder - absolute path of the folder
 */
export function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** Keeps every `..`, because its meaning depends on the links before it. */
function spelledOut(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

/**
 * Returns the real path of a path; for a path that does not exist, the real path of its nearest
 * existing folder followed by the rest as written. The number of lookups grows with the logarithm
 * of the number of names.
 * @param path - absolute path
 * @returns undefined for a path that is too long for file systems
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
  // Below a folder that does not exist, nothing exists.
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
