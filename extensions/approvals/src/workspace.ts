import { glob, readdir, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isPrivate } from "./private-file.js";

/** More matches of a pattern than these are not looked at; then it is not known what is read. */
const MOST_MATCHES = 500;
/** Patterns in more folders of a path than these are not looked up either. */
const MOST_PATTERNS = 3;
/** Patterns of one call that are looked up. */
const MOST_SEARCHES = 16;
const PATTERN = /[*?[]/;
const HOME = /^~/;
/** Holds nothing and keeps nothing. */
const NOWHERE = "/dev/null";

/** The folders in which a command may run; undefined when that is not known. */
export type Folders = readonly string[] | undefined;

/** Which files the command of one call may reach, all by their real paths. */
export class Workspace {
  /** Real path. */
  readonly root: string;
  #searches = 0;

  private constructor(root: string) {
    this.root = root;
  }

  /**
   * Looks up where the workspace really is.
   * @param dir - absolute
   */
  static async at(dir: string): Promise<Workspace> {
    return new Workspace(await realPathOf(dir));
  }

  /** Whether a real path is in the workspace. */
  holds(realPath: string): boolean {
    const path = relative(this.root, realPath);
    return path === "" || (path !== ".." && !path.startsWith(`..${sep}`) && path !== realPath);
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
   * Whether all that a path or pattern names lies in the workspace and nothing of it is private.
   * @param path - as written
   * @param folders - where the command may run
   */
  async mayBeRead(path: string, folders: Folders): Promise<boolean> {
    const found = await this.locate(path, folders);
    if (found === undefined || isPrivate(path)) return false;
    const matches = PATTERN.test(path) ? await this.#matchesOf(path, folders) : [];
    return (
      matches !== undefined &&
      [...found, ...matches].every(
        (real) => this.holds(real) && !isPrivate(relative(this.root, real)),
      )
    );
  }

  #matchesOf(pattern: string, folders: Folders): Promise<string[] | undefined> | undefined {
    this.#searches += 1;
    return this.#searches > MOST_SEARCHES ? undefined : matchesOf(pattern, folders);
  }

  /**
   * Whether a folder holds a private file of its own, for those who read all of it.
   * @param path - as written; a file holds none
   * @param folders - where the command may run
   */
  async holdsPrivateFile(path: string, folders: Folders): Promise<boolean> {
    for (const real of (await this.locate(path, folders)) ?? []) {
      const names = await readdir(real).catch(() => []);
      if (names.some(isPrivate)) return true;
    }
    return false;
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

async function matchesOf(pattern: string, folders: Folders = []): Promise<string[] | undefined> {
  // Two stars are one for the shell, and every folder below for `glob`.
  const plain = pattern.replaceAll(/\*+/g, "*");
  if (plain.split("/").filter((segment) => PATTERN.test(segment)).length > MOST_PATTERNS)
    return undefined;
  const matches: string[] = [];
  for (const folder of folders) {
    for await (const match of glob(plain, { cwd: folder })) {
      if (matches.length >= MOST_MATCHES) return undefined;
      matches.push(await realPathOf(resolve(folder, match)));
    }
  }
  return matches;
}

/**
 * Whether git would take a folder, or one above it in the workspace, for a repository of its own although
 * it has no `.git`: a checkout can hold such a folder, and its configuration names programs to run.
 * @param folder - real path
 * @param workspace - where the search ends
 */
export async function isInBareRepository(folder: string, workspace: Workspace): Promise<boolean> {
  for (let place = folder; workspace.holds(place); place = dirname(place)) {
    if (await isThere(join(place, ".git"))) return false;
    if ((await isThere(join(place, "HEAD"))) && (await isThere(join(place, "objects"))))
      return true;
    if (place === dirname(place)) break;
  }
  return false;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
