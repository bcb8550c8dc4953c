import { readdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PinnedDirectory } from "../../files/pinned-directory.js";
import { systemErrorCode } from "../../system-error.js";

/** Names that decide what the host or the user's git runs in a folder. */
const DECIDING = new Set([".git", ".openclaw"]);
/** Entries of a repository without a working tree, in which git runs what its settings name. */
const BARE = ["HEAD", "objects", "refs"] as const;
/** Shortest pause between two searches while a command runs, in milliseconds. */
const SHORTEST_PAUSE_MS = 2000;
/** Share of the time that the searches may take. */
const SHARE = 20;

/** Folders in which a command could create repositories; all are real paths. */
export interface WatchedPlace {
  /** Folders that the command can write. */
  readonly folders: readonly string[];
  /** Empty folders that the sandbox creates, and removes after the command. */
  readonly placeholders: readonly string[];
  /** Folder that the command does not see, in which the host may create repositories. */
  readonly pass: string;
}

/**
 * Keeps a command in the writable sandbox from leaving folders that decide what the host or git runs. Mounts protect only
 * the folders that exist before it starts, so that the others are renamed: repeatedly while it runs, and when it has ended.
 */
export class CreatedRepositories {
  readonly #place: WatchedPlace;
  readonly #known: ReadonlySet<string>;
  readonly #renamed: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #search: Promise<void> = Promise.resolve();

  private constructor(place: WatchedPlace, known: ReadonlySet<string>) {
    this.#place = place;
    this.#known = known;
    this.#schedule(SHORTEST_PAUSE_MS);
  }

  /**
   * Notes the folders that exist before a command starts.
   * @param place - folders that the command can write
   */
  static async watch(place: WatchedPlace): Promise<CreatedRepositories> {
    const known = new Set([...place.placeholders, ...(await decidingPaths(place))]);
    return new CreatedRepositories(place, known);
  }

  /**
   * Renames what the command created, after it has ended.
   * @returns the previous paths of everything that was renamed
   */
  async end(): Promise<readonly string[]> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#search;
    await this.#rename();
    return this.#renamed;
  }

  #schedule(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      const start = performance.now();
      this.#search = this.#rename().then(() => {
        const took = performance.now() - start;
        if (this.#timer !== undefined) this.#schedule(Math.max(SHORTEST_PAUSE_MS, took * SHARE));
      });
    }, pauseMs).unref();
  }

  async #rename(): Promise<void> {
    for (const path of await decidingPaths(this.#place)) {
      if (this.#known.has(path)) continue;
      if (await renameAside(path)) this.#renamed.push(path);
    }
  }
}

/** Returns the paths in some folders, at any depth, that decide what the host or git runs. */
async function decidingPaths({ folders, pass }: WatchedPlace): Promise<string[]> {
  const found: string[] = [];
  const left = [...folders];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map(({ name }) => name));
    if (BARE.every((name) => names.has(name))) found.push(join(folder, BARE[0]));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (DECIDING.has(entry.name.toLowerCase())) found.push(path);
      else if (entry.isDirectory() && path !== pass) left.push(path);
    }
  }
  return found;
}

/** Renames an entry within its folder, which must still be at its path; another command may have replaced it by a link. */
async function renameAside(path: string): Promise<boolean> {
  const folder = await PinnedDirectory.open(dirname(path));
  if (folder === undefined) return false;
  try {
    const name = basename(path);
    for (let count = 1; ; count += 1) {
      const aside = `${name}.created-in-sandbox${count === 1 ? "" : `-${count}`}`;
      try {
        await rename(folder.path(name), folder.path(aside));
        return true;
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === "ENOENT") return false;
        // An earlier one has the name.
        if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOTDIR" && code !== "EISDIR") {
          throw error;
        }
      }
    }
  } finally {
    await folder.close();
  }
}
