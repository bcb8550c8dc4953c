import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { followedFile } from "@openclaw/plugin-sdk/approvals";
import { sensitivePath } from "@openclaw/safety";
import { realPathOf } from "../../files/real-path.js";

/** Entries that are looked at in a folder and everything below it. */
const MAX_ENTRIES = 50_000;
/** Mounts of one sandbox; bubblewrap looks through all of them for each one. */
const MAX_PATHS = 300;
/** Folders of installed packages and of git's own data, which hold no secrets of the project. */
const SKIPPED = new Set(["node_modules"]);
const SKIPPED_IN_GIT = new Set(["objects", "refs", "logs", "lfs", "annex"]);
/** Settings of git, whose URLs may hold passwords. */
const GIT_SETTINGS = /^(?:config|config\.worktree|credentials)$/i;
/** Folders that file tools may read although they contain secrets or the host's state. */
const PRIVATE_FOLDERS = new Set([".docker", ".openclaw-state"]);
/** Folders with settings of git and the host, which are protected before all other followed files. */
const SETTINGS_FOLDERS = new Set([".git", ".openclaw"]);
/** Entries of a repository without a working tree. */
const BARE = ["HEAD", "objects", "refs"];
/** Folder of programs in a folder of installed packages. */
const PROGRAMS = ".bin";

/** A path of a folder that a sandbox treats apart. */
export interface ProtectedPath {
  /** A real path. */
  readonly path: string;
  /** Hidden with everything in it, hidden as a file, or shown and not writable. */
  readonly as: "hidden-folder" | "hidden-file" | "read-only";
}

/** The protected paths of a folder. */
export interface ProtectedPaths {
  /** Each after the folders that hold it. */
  readonly paths: readonly ProtectedPath[];
  /** True when a limit was reached, so that folders are hidden that may hold nothing private. */
  readonly isCut: boolean;
}

/** Options of {@link protectedPathsIn}. */
export interface WalkOptions {
  /** Entries to look at, at most. */
  readonly entries?: number;
  /** Paths to return, at most. */
  readonly paths?: number;
  /** A folder to pass over, a real path. */
  readonly pass?: string;
}

/**
 * Returns the private paths of a folder at any depth, and those that no command may change. Folders of
 * installed packages are passed over. What a limit leaves unread is hidden as a whole.
 * @param folder - a real path
 * @param options - limits, and a folder to pass over
 */
export async function protectedPathsIn(
  folder: string,
  { entries: maxEntries = MAX_ENTRIES, paths: maxPaths = MAX_PATHS, pass }: WalkOptions = {},
): Promise<ProtectedPaths> {
  const found = new Map<string, ProtectedPath["as"]>();
  /** Other followed files, which a command may read but not change, the shallowest first. */
  const followed = new Set<string>();
  const readOnly = new Set<string>();
  let folders = [folder];
  let left = maxEntries;
  // Level by level, so that the limit omits the deepest folders.
  while (folders.length > 0) {
    const below: string[] = [];
    for (const current of folders) {
      if (left <= 0) {
        found.set(current, "hidden-folder");
        continue;
      }
      const entries = await readdir(current, { withFileTypes: true }).catch(() => []);
      left -= entries.length;
      const names = new Set(entries.map(({ name }) => name));
      if (BARE.every((name) => names.has(name)) && !isBelow(join(current, "HEAD"), readOnly)) {
        followed.add(current);
        readOnly.add(current);
      }
      for (const entry of entries) {
        const path = join(current, entry.name);
        if (path === pass) continue;
        const as = await protectionOf(entry, path, folder);
        if (as !== undefined) found.set(as.path, as.as);
        if (as?.as === "read-only") readOnly.add(path);
        if (as === undefined && !isBelow(path, readOnly)) {
          for (const target of await followedPaths(entry, path, folder)) {
            followed.add(target);
            readOnly.add(target);
          }
        }
        if (entry.isDirectory() && as?.as !== "hidden-folder" && !isSkipped(path)) below.push(path);
      }
    }
    folders = below;
  }
  const hidden = withinLimit(found, folder, maxPaths);
  const isCut = left <= 0 || hidden.length < found.size;
  // The others are watched instead.
  const kept = [...followed].filter((path) => !found.has(path)).slice(0, maxPaths - hidden.length);
  const others = kept.map((path): ProtectedPath => ({ path, as: "read-only" }));
  return { paths: [...hidden, ...others].sort(byPath), isCut };
}

async function protectionOf(
  entry: Dirent,
  path: string,
  folder: string,
): Promise<ProtectedPath | undefined> {
  const isPrivate = isPrivatePath(path);
  if (entry.isSymbolicLink()) {
    // The name is private, so its target is too, regardless of the target's name.
    const target = isPrivate ? await realPathOf(path) : folder;
    return target.startsWith(folder + sep) ? { path: target, as: "hidden-file" } : undefined;
  }
  if (isPrivate) return { path, as: entry.isDirectory() ? "hidden-folder" : "hidden-file" };
  if (SETTINGS_FOLDERS.has(entry.name.toLowerCase())) return { path, as: "read-only" };
  // A program behind a socket or pipe acts outside the sandbox.
  const isContact = !entry.isDirectory() && !entry.isFile();
  return isContact ? { path, as: "hidden-file" } : undefined;
}

/** Returns the existing paths that must not change so that a followed name keeps its content. */
async function followedPaths(entry: Dirent, path: string, folder: string): Promise<string[]> {
  if (basename(path) === "node_modules") {
    const programs = join(path, PROGRAMS);
    return (await isDirectory(programs)) ? [programs] : [];
  }
  if (followedFile(relative(folder, path)) === undefined) return [];
  if (!entry.isSymbolicLink()) return [path];
  const target = await realPathOf(path);
  return target.startsWith(folder + sep) && (await exists(target)) ? [target] : [];
}

async function isDirectory(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/** Returns true for a path in one of some folders. */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    if (folders.has(above)) return true;
  }
  return false;
}

function byPath(one: ProtectedPath, other: ProtectedPath): number {
  return one.path < other.path ? -1 : 1;
}

function isPrivatePath(path: string): boolean {
  const name = basename(path).toLowerCase();
  if (PRIVATE_FOLDERS.has(name) || sensitivePath(path) !== undefined) return true;
  return GIT_SETTINGS.test(name) && isInGit(path);
}

function isSkipped(path: string): boolean {
  const name = basename(path);
  return SKIPPED.has(name) || (SKIPPED_IN_GIT.has(name) && isInGit(path));
}

function isInGit(path: string): boolean {
  return path.toLowerCase().includes(`${sep}.git${sep}`);
}

/** Replaces the deepest paths by the folders that hold them, until there are few enough. */
function withinLimit(
  found: ReadonlyMap<string, ProtectedPath["as"]>,
  folder: string,
  limit: number,
): ProtectedPath[] {
  let kept = new Map(found);
  let depth = Math.max(0, ...[...kept.keys()].map((path) => segmentsOf(path, folder).length));
  while (kept.size > limit && depth > 0) {
    depth -= 1;
    const raised = new Map<string, ProtectedPath["as"]>();
    for (const [path, as] of kept) {
      const segments = segmentsOf(path, folder);
      if (segments.length > depth) {
        raised.set(join(folder, ...segments.slice(0, depth)), "hidden-folder");
      } else if (raised.get(path) !== "hidden-folder") raised.set(path, as);
    }
    kept = raised;
  }
  return [...kept].map(([path, as]) => ({ path, as })).sort(byPath);
}

function segmentsOf(path: string, folder: string): string[] {
  return relative(folder, path)
    .split(sep)
    .filter((segment) => segment !== "");
}
