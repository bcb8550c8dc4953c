import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type FollowedBy, followedFile, followedNames } from "@openclaw/plugin-sdk/approvals";
import { realPathOf } from "./real-path.js";
import type { WorkspacePaths } from "./workspace-paths.js";

/** Entries by which git recognises a folder as a separate repository. */
const REPOSITORY = ["HEAD", "objects", "refs"];
/** Settings of git whose values name no file of the workspace. */
const NAMES_NO_FILE = /^(?:url|pushurl|fetch|push|remote|merge|name|email)$/i;
const SETTING = /^\s*(?:\[[^\]]*\]\s*)?([a-z][\w-]*)\s*=\s*(.+)$/gim;
/** Readers that are one. */
const SINGULAR = /^(?:git|CI|the )/;
/** Names of paths in the table that are more than one folder deep. */
const DEEP_NAMES = followedNames().filter((name) => name.includes("/"));

/**
 * Returns the reader that follows a file, for a change of it. The table of followed files decides, by the path as it was
 * written, by the real path, and by the names that lead to the same file through links: a link `AGENTS.md` to `notes.md`
 * makes `notes.md` a followed file. Of git, everything in a folder that git takes for a repository counts, and each file
 * that the settings of the workspace's repository name, such as `include.path` or `core.hooksPath`.
 *
 * Not promised: a link to the file from a folder that is neither above it nor the workspace itself.
 * @param paths - the boundary
 * @param given - path as the caller wrote it
 * @param realPath - path after resolving links
 * @param base - folder that relative paths start from; the workspace when absent
 * @returns undefined when no program follows the file
 */
export async function followedChange(
  paths: WorkspacePaths,
  given: string,
  realPath: string,
  base: string = paths.workspaceDir,
): Promise<FollowedBy | undefined> {
  const root = await realPathOf(paths.workspaceDir);
  const named = [await paths.display(realPath), below(resolve(base, given), paths.workspaceDir)];
  for (const name of named) {
    const followed = name === undefined ? undefined : followedFile(name);
    if (followed !== undefined) return followed.by;
  }
  const folders = foldersBetween(root, dirname(realPath));
  const linkedBy = await linkedName(realPath, root, folders);
  if (linkedBy !== undefined) return linkedBy;
  const isGit = (await isInRepository(folders)) || (await isNamedByGit(realPath, root));
  return isGit ? "git" : undefined;
}

/**
 * Returns the name of a followed file with its reader, as a request shows it.
 * @param shown - path of the file
 * @param by - its reader
 */
export function followedText(shown: string, by: FollowedBy): string {
  return `${shown}, which ${by} ${SINGULAR.test(by) ? "follows" : "follow"} as code, settings or instructions`;
}

/** Returns the reader of a followed name that is a symbolic or hard link to a file, or to a folder above it. */
async function linkedName(
  realPath: string,
  root: string,
  folders: readonly string[],
): Promise<FollowedBy | undefined> {
  const own = await stat(realPath, { bigint: true }).catch(() => undefined);
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => join(folder, name));
    }),
  );
  for (const path of [...listed.flat(), ...DEEP_NAMES.map((name) => join(root, name))]) {
    const followed = followedFile(relative(root, path));
    if (followed === undefined) continue;
    const found = await lstat(path, { bigint: true }).catch(() => undefined);
    const isSame = found?.ino === own?.ino && found?.dev === own?.dev && found !== undefined;
    if (isSame) return followed.by;
    if (!found?.isSymbolicLink()) continue;
    const target = await realPathOf(path);
    if (target === realPath || below(realPath, target) !== undefined) return followed.by;
  }
  return undefined;
}

/** A folder with these entries is a repository to git, whatever its name is. */
async function isInRepository(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const names = new Set(await readdir(folder).catch(() => []));
    if (REPOSITORY.every((name) => names.has(name))) return true;
  }
  return false;
}

async function isNamedByGit(realPath: string, root: string): Promise<boolean> {
  const entry = join(root, ".git");
  const pointer = await readFile(entry, "utf8").catch(() => "");
  const gitDir = resolve(root, /^gitdir:\s*(.+)$/m.exec(pointer)?.[1]?.trim() ?? entry);
  if (below(realPath, await realPathOf(gitDir)) !== undefined) return true;
  const settings = await readFile(join(gitDir, "config"), "utf8").catch(() => "");
  for (const [, key = "", value = ""] of settings.replace(/\\\r?\n/g, "").matchAll(SETTING)) {
    if (NAMES_NO_FILE.test(key)) continue;
    for (const word of value.split(/[\s"';&|=]+/)) {
      if (word === "") continue;
      for (const folder of [root, gitDir]) {
        const named = await realPathOf(resolve(folder, word)).catch(() => root);
        // A folder above the workspace names everything, and therefore nothing.
        const isNamed = named === realPath || below(realPath, named) !== undefined;
        if (isNamed && below(named, root) !== undefined && named !== root) return true;
      }
    }
  }
  return false;
}

/** Returns a path relative to a folder; undefined when it is not in the folder. */
function below(path: string, folder: string): string | undefined {
  const name = relative(folder, path);
  return name === ".." || name.startsWith(`..${sep}`) || isAbsolute(name) ? undefined : name;
}

/** Returns the folders from the root to a folder in it, both included; only the folder itself outside the root. */
function foldersBetween(root: string, folder: string): readonly string[] {
  if (folder === root || below(folder, root) === undefined) return [folder];
  return [...foldersBetween(root, dirname(folder)), folder];
}
