import { rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { followedFile } from "@openclaw/plugin-sdk/approvals";
import { PinnedDirectory } from "../../files/pinned-directory.js";
import { systemErrorCode } from "../../system-error.js";
import { FolderWatch } from "./folder-watch.js";
import { type FoundFile, searchFollowed, type WatchedPlace } from "./followed-search.js";

/** Shortest pause between two searches while a command runs, in milliseconds. */
const SHORTEST_PAUSE_MS = 2000;
/** Share of the time that the searches may take. */
const SHARE = 20;
/** Files that a command may create before it is stopped. */
const MOST_CREATED = 50;
const ASIDE = ".created-in-sandbox";
/** Renamed paths that a notice names. */
const MOST_SHOWN = 5;

/**
 * Keeps a command in the writable sandbox from leaving followed files that it created or changed (APPR-280). Mounts protect
 * only those that exist before it starts, so that the others are renamed: as soon as the system reports them, by searches
 * while it runs, and when it has ended. A command that creates one again is stopped.
 */
export class CreatedFiles {
  readonly #place: WatchedPlace;
  /** Identities of the files that existed before, which may have been moved with a folder above them. */
  readonly #known: ReadonlySet<string>;
  /** Known files that the command cannot change. */
  readonly #held: ReadonlySet<string>;
  readonly #renamed: string[] = [];
  readonly #stop = new AbortController();
  readonly #watch: FolderWatch;
  #timer: NodeJS.Timeout | undefined;
  /** Folders in which the system reported new entries. */
  readonly #changed = new Set<string>();
  #search: Promise<void> = Promise.resolve();

  private constructor(
    place: WatchedPlace,
    found: readonly FoundFile[],
    folders: readonly string[],
  ) {
    this.#place = place;
    this.#known = new Set(found.map(({ identity }) => identity));
    const held = found.filter(({ path }) => place.fixed.has(path));
    this.#held = new Set(held.map(({ file }) => file));
    this.#watch = new FolderWatch(folders, (folder) => this.#searchChanged(folder));
    this.#schedule(SHORTEST_PAUSE_MS);
  }

  /**
   * Notes the followed files that exist before a command starts.
   * @param place - folders that the command can write
   */
  static async watch(place: WatchedPlace): Promise<CreatedFiles> {
    const folders = [...place.folders];
    const enters = (folder: string) => folders.push(folder) > 0;
    const found = await searchFollowed(place, undefined, undefined, enters);
    return new CreatedFiles(place, found, folders);
  }

  /** Signal that stops the command. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Renames what the command created, after it has ended.
   * @returns the previous paths of everything that was renamed
   */
  async end(): Promise<readonly string[]> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watch.close();
    await this.#queue(() => this.#rename(this.#place.folders));
    return this.#renamed;
  }

  #schedule(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      const start = performance.now();
      const again = () => {
        const took = performance.now() - start;
        if (this.#timer !== undefined) this.#schedule(Math.max(SHORTEST_PAUSE_MS, took * SHARE));
      };
      // The end reports a failure.
      this.#queue(() => this.#rename(this.#place.folders)).then(again, () => undefined);
    }, pauseMs).unref();
  }

  #searchChanged(folder: string): void {
    this.#changed.add(folder);
    if (this.#changed.size > 1) return;
    const search = async () => {
      const folders = [...this.#changed];
      this.#changed.clear();
      // Folders that are watched already report their own entries.
      await this.#rename(folders, (below) => this.#watch.add(below));
    };
    this.#queue(search).catch(() => undefined);
  }

  /** Searches one after the other, so that none renames what another one has found. */
  #queue(search: () => Promise<void>): Promise<void> {
    this.#search = this.#search.then(search);
    return this.#search;
  }

  async #rename(
    from: readonly string[],
    enters: (folder: string) => boolean = (folder) => this.#watch.add(folder) || true,
  ): Promise<void> {
    for (const { path, identity } of await searchFollowed(this.#place, this.#held, from, enters)) {
      if (this.#known.has(identity) || !(await renameAside(path))) continue;
      if (this.#renamed.includes(path) || this.#renamed.length >= MOST_CREATED) this.#stop.abort();
      this.#renamed.push(path);
    }
  }
}

/**
 * Returns the notice for the model about renamed files.
 * @param paths - their previous paths
 * @returns undefined when there are none
 */
export function renamedNotice(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const shown = paths.slice(0, MOST_SHOWN).join(", ");
  const more = paths.length > MOST_SHOWN ? ` and ${paths.length - MOST_SHOWN} more` : "";
  // The paths come first, because a chat shows the begin of the line.
  return `The sandbox renamed to "….created-in-sandbox": ${shown}${more}. Commands there cannot create or change files that programs follow as code or instructions, such as repositories, .openclaw and AGENTS.md; use write or edit for such a file.`;
}

/** Renames an entry within its folder, which must still be at its path; another command may have replaced it by a link. */
async function renameAside(path: string): Promise<boolean> {
  const folder = await PinnedDirectory.open(dirname(path));
  if (folder === undefined) return false;
  try {
    const name = basename(path);
    // The table may name every file that begins so.
    const start = followedFile(`${name}${ASIDE}`) === undefined ? name : `-${name}`;
    for (let count = 1; ; count += 1) {
      const aside = `${start}${ASIDE}${count === 1 ? "" : `-${count}`}`;
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
