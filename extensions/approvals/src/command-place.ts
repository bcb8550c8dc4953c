import { resolve } from "node:path";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { ExecutableSearch } from "./executable.js";
import { readWords } from "./parsed-arguments.js";
import { type Folders, Workspace } from "./workspace.js";

/** Maximum number of folders in which a command is followed. */
const MOST_FOLDERS = 16;

/** Place of a call of a shell tool. */
export interface CallPlace {
  /** Absolute path of the agent's workspace. */
  readonly workspaceDir: string;
  /**
   * Folder in which the command starts, relative to the workspace; the workspace itself when
   * absent.
   */
  readonly workdir?: string | undefined;
  /** Absolute path of the host's state folder, which is private. */
  readonly stateDir?: string | undefined;
}

/** Machine on which a command would run, as far as its evaluation needs it. */
export interface CommandPlace {
  readonly workspace: Workspace;
  /** Real path of the folder in which the command starts; undefined when it is not known. */
  readonly start: string | undefined;
  /** Folders in which each command may run. */
  readonly folders: readonly Folders[];
  readonly search: ExecutableSearch;
}

/**
 * Returns the place where the commands of a call would run.
 * @param parsed - command of the call
 * @param place - place where it starts
 * @param search - search for programs
 */
export async function placeOf(
  parsed: ParsedCommand,
  { workspaceDir, workdir = ".", stateDir }: CallPlace,
  search: ExecutableSearch,
): Promise<CommandPlace> {
  const workspace = await Workspace.at(workspaceDir, stateDir);
  const start = await workspace.realPath(resolve(workspace.root, workdir));
  return { workspace, start, folders: await followFolders(parsed, start, workspace), search };
}

/**
 * Returns the folders in which each command may run. A change of the folder may be skipped or
 * happen in a subshell, so afterwards both folders are possible; after a change that cannot be
 * followed, no folder is known.
 */
async function followFolders(
  { commands }: ParsedCommand,
  start: string | undefined,
  workspace: Workspace,
): Promise<Folders[]> {
  let folders: Folders = start === undefined ? undefined : [start];
  const found: Folders[] = [];
  for (const { program, arguments: words, position } of commands) {
    found.push(folders);
    if (program === "popd" || (program !== "cd" && program !== "pushd")) continue;
    const [target, ...more] = readWords(words).operands;
    const isFollowed =
      target !== undefined &&
      more.length === 0 &&
      !/^[-+~]|[*?[]/.test(target) &&
      position !== "loop" &&
      position !== "function";
    if (!isFollowed || folders === undefined) {
      folders = undefined;
      continue;
    }
    folders = await changedFolders(target, folders, workspace);
  }
  return found;
}

/**
 * Returns the folders before and after a `cd`; undefined when there are too many, or one is not
 * known.
 */
async function changedFolders(
  target: string,
  folders: readonly string[],
  workspace: Workspace,
): Promise<Folders> {
  const all = new Set(folders);
  for (const folder of folders) {
    const changed = await workspace.realPath(resolve(folder, target));
    if (changed === undefined) return undefined;
    all.add(changed);
    if (all.size > MOST_FOLDERS) return undefined;
  }
  return [...all];
}
