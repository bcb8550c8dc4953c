import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { followedFile } from "@openclaw/plugin-sdk/approvals";

/** Entries of a repository without a working tree, in which git runs what its settings name. */
const BARE = ["HEAD", "objects", "refs"] as const;
/** Folder with packages of others, of which only repositories and started programs count. */
const PACKAGES = "node_modules";

const IN_PACKAGES = new Set([".git/", "git~1/", ".openclaw/", "node_modules/.bin/"]);

/** Folders in which a command could create or change followed files; all are real paths. */
export interface WatchedPlace {
  /** Folders that the command can write. */
  readonly folders: readonly string[];
  /** Existing paths that the command cannot change. */
  readonly fixed: ReadonlySet<string>;
  /** Empty folders at the top of these folders, which the sandbox creates and removes and the command cannot replace. */
  readonly placeholders: ReadonlySet<string>;
  /** Folder that the command does not see, in which the host may create files. */
  readonly pass: string;
  /**
   * True to pass over empty files and folders: another sandbox mounts over files that do not exist, which makes empty ones
   * while its commands run, and no user can follow them.
   */
  readonly isEmptyHarmless?: boolean;
}

/** Followed file of a place, and what identifies it. */
export interface FoundFile {
  readonly path: string;
  /** Device and number, which it keeps when a folder above it is renamed. */
  readonly file: string;
  /** Changes when another file takes its place, and when a file that the command can change is changed or renamed. */
  readonly identity: string;
}

/**
 * Returns the followed files and folders of a place at any depth. A folder that the table names is taken as a whole where
 * the command cannot change it; otherwise its files are returned too.
 * @param place - folders to search
 * @param held - files that the command cannot change, wherever they are now
 * @param from - folders to start at; those of the place when absent
 * @param enters - returns false for a folder below these that is not searched
 */
export async function searchFollowed(
  place: WatchedPlace,
  held: ReadonlySet<string> = new Set(),
  from: readonly string[] = place.folders,
  enters: (folder: string) => boolean = () => true,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const left = [...from];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map(({ name }) => name));
    const isBare = BARE.every((name) => names.has(name));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (place.placeholders.has(path)) continue;
      const isFollowed = isFollowedPath(path, place) || (isBare && entry.name === BARE[0]);
      const stats = isFollowed ? await lstat(path).catch(() => undefined) : undefined;
      const file = `${stats?.dev}:${stats?.ino}`;
      const isWhole = place.fixed.has(path) || (stats !== undefined && held.has(file));
      if (stats !== undefined && !(place.isEmptyHarmless === true && (await isEmpty(path, stats))))
        found.push({ path, file, identity: identityOf(file, stats, isWhole) });
      const isSearched = entry.isDirectory() && path !== place.pass && !isWhole;
      if (isSearched && enters(path)) left.push(path);
    }
  }
  return found;
}

/**
 * Returns true for a path that the table names in one of the folders.
 * @param path - a real path
 * @param place - folders that a command can write
 */
function isFollowedPath(path: string, { folders }: WatchedPlace): boolean {
  const folder = folders.find((each) => path.startsWith(`${each}/`));
  if (folder === undefined) return false;
  const name = relative(folder, path);
  const followed = followedFile(name);
  if (followed === undefined) return false;
  // Packages bring settings of their own development, which nobody follows there.
  const isInPackage = name.includes(`${PACKAGES}/`) && !name.endsWith(PACKAGES);
  return !isInPackage || IN_PACKAGES.has(followed.pattern);
}

async function isEmpty(path: string, stats: Stats): Promise<boolean> {
  if (!stats.isDirectory()) return stats.isFile() && stats.size === 0;
  return (await readdir(path).catch(() => [])).length === 0;
}

/** A folder changes with every entry, and each entry is looked at by itself. */
function identityOf(file: string, stats: Stats, isFixed: boolean): string {
  return isFixed || stats.isDirectory() ? file : `${file}:${stats.ctimeMs}`;
}
