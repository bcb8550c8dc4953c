import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { LiteralRepository } from "@openclaw/plugin-sdk/hooks";
import { realPathOf, type Workspace } from "../workspace.js";
import { acceptSetting, settingName } from "./accepted-settings.js";
import { type GitSetting, gitSettingsText, readGitSettings } from "./settings-file.js";
import { userGitSettings } from "./user-settings.js";

const MAX_SETTINGS_BYTES = 256 * 1024;
/** Maximum number of references, packs and folders of objects that are checked for links. */
const MOST_ENTRIES = 20_000;
const GIT_FILE = /^gitdir: ([^\n\0]+)\n?$/;
/** Files of a repository in which git follows links, or which it quotes in errors. */
const NO_LINKS = [
  "HEAD",
  "config",
  "config.worktree",
  "index",
  "info",
  "info/attributes",
  "info/exclude",
  "info/sparse-checkout",
  "logs",
  "objects",
  "packed-refs",
  "refs",
  "shallow",
];
/** Entries by which git recognises a repository without a working tree. */
const BARE = ["HEAD", "objects", "refs"];
const ALTERNATES = "objects/info/alternates";

/** Repository of a folder, or the reason why git needs approval there. */
export type FoundRepository =
  | { readonly repository: LiteralRepository }
  | { readonly problem: string };

/**
 * Finds the repository that git uses in a folder, and reads its settings. Git needs approval when
 * part of the repository is outside the workspace, or when a setting could start a program.
 * @param folder - real path, in the workspace
 * @param workspace - workspace that must contain the repository
 */
export async function findRepository(
  folder: string,
  workspace: Workspace,
): Promise<FoundRepository> {
  for (let top = folder; workspace.holds(top); top = dirname(top)) {
    const kind = await kindOf(join(top, ".git"));
    if (kind !== undefined) return await readRepository(top, kind, workspace);
    if (await isBare(top)) return { problem: `${top} is a repository without a working tree` };
    if (top === dirname(top)) break;
  }
  return { problem: `${folder} is not in a git repository of the workspace` };
}

type Kind = "link" | "folder" | "file" | "other";

async function readRepository(
  top: string,
  kind: Kind,
  workspace: Workspace,
): Promise<FoundRepository> {
  const folder = await repositoryFolder(join(top, ".git"), kind);
  if (folder === undefined) return { problem: `${join(top, ".git")} is not a git repository` };
  const shared = await textOf(join(folder, "commondir"));
  const sharedFolder =
    shared === undefined ? folder : await realPathOf(resolve(folder, shared.trimEnd()));
  if (sharedFolder === undefined) return { problem: `${folder} is not a git repository` };
  for (const path of [folder, sharedFolder]) {
    if (!(await workspace.mayBeRead(path, [workspace.root]))) {
      return { problem: `the repository is in ${path}, outside the workspace` };
    }
    for (const name of NO_LINKS) {
      if ((await kindOf(join(path, name))) === "link") {
        return { problem: `${join(path, name)} is a symbolic link` };
      }
    }
    const inside = await linkInside(path);
    if (inside !== undefined) return { problem: inside };
  }
  if ((await kindOf(join(folder, "HEAD"))) !== "file") {
    return { problem: `${folder} is not a git repository` };
  }
  if ((await kindOf(join(sharedFolder, ALTERNATES))) !== undefined) {
    return { problem: `${sharedFolder} uses the objects of another repository` };
  }
  const settings: GitSetting[] = [];
  for (const file of [join(sharedFolder, "config"), join(folder, "config.worktree")]) {
    const read = await readSettings(file, folder, top);
    if ("problem" in read) return read;
    settings.push(...read.settings);
  }
  const user = await userGitSettings();
  return {
    repository: {
      folder,
      sharedFolder,
      workTree: top,
      settings: gitSettingsText([...user.settings, ...settings]),
      ignored: user.ignored,
    },
  };
}

/** Returns the problem of a link among the objects and references; undefined when there is none. */
async function linkInside(folder: string): Promise<string | undefined> {
  const waiting = ["refs", "objects", "objects/pack", "objects/info"];
  let looked = 0;
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
    looked += entries.length;
    if (looked > MOST_ENTRIES)
      return `${folder} has more than ${MOST_ENTRIES} references and packs`;
    for (const entry of entries) {
      const path = `${name}/${entry.name}`;
      if (entry.isSymbolicLink()) return `${join(folder, path)} is a symbolic link`;
      if (entry.isDirectory() && name.startsWith("refs")) waiting.push(path);
    }
  }
  return undefined;
}

/**
 * Returns the repository of `.git`: the folder itself, or the folder that the `.git` file of a
 * linked working tree or submodule names.
 */
async function repositoryFolder(path: string, kind: Kind): Promise<string | undefined> {
  if (kind === "folder") return path;
  if (kind !== "file") return undefined;
  const [, target] = GIT_FILE.exec((await textOf(path)) ?? "") ?? [];
  return target === undefined ? undefined : await realPathOf(resolve(dirname(path), target));
}

async function readSettings(
  file: string,
  folder: string,
  top: string,
): Promise<{ readonly settings: readonly GitSetting[] } | { readonly problem: string }> {
  if ((await kindOf(file)) === undefined) return { settings: [] };
  const text = await textOf(file);
  const found = text === undefined ? undefined : readGitSettings(text);
  if (found === undefined) return { problem: `${file} has an unknown format` };
  const settings: GitSetting[] = [];
  for (const setting of found) {
    if (settingName(setting) === "core.worktree") {
      const workTree = await realPathOf(resolve(folder, setting.value ?? ""));
      if (workTree !== top) return { problem: `${file} names another working tree` };
      continue;
    }
    const accepted = acceptSetting(setting);
    if (accepted === "unknown") {
      return { problem: `${file} sets ${settingName(setting)}, which could start a program` };
    }
    if (accepted !== "drop") settings.push(accepted.copy);
  }
  return { settings };
}

async function isBare(folder: string): Promise<boolean> {
  for (const name of BARE) {
    if ((await kindOf(join(folder, name))) === undefined) return false;
  }
  return true;
}

async function kindOf(path: string): Promise<Kind | undefined> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return "link";
    return found.isDirectory() ? "folder" : found.isFile() ? "file" : "other";
  } catch {
    return undefined;
  }
}

/** Returns undefined for anything but a file of usual size, and for a link. */
async function textOf(path: string): Promise<string | undefined> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  try {
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { size } = await file.stat();
    if (size > MAX_SETTINGS_BYTES) return undefined;
    return await file.readFile("utf8");
  } catch {
    return undefined;
  }
}
