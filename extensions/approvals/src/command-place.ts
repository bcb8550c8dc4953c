import { resolve } from "node:path";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { ExecutableSearch } from "./executable.js";
import { readWords } from "./parsed-arguments.js";
import { type Folders, Workspace } from "./workspace.js";

/** In more folders than these a command is not followed. */
const MOST_FOLDERS = 16;

/** Where a call of a shell tool takes place. */
export interface CallPlace {
  /** The agent's workspace, absolute. */
  readonly workspaceDir: string;
  /** The folder the command starts in, relative to the workspace; the workspace itself when absent. */
  readonly workdir?: string | undefined;
  /** The host's state folder, absolute, which is private. */
  readonly stateDir?: string | undefined;
}

/** What evaluates of a command know of the machine it would run on. */
export interface CommandPlace {
  readonly workspace: Workspace;
  /** Real path of the folder in which the command starts; undefined when that is not known. */
  readonly start: string | undefined;
  /** For each command the folders in which it may run. */
  readonly folders: readonly Folders[];
  readonly search: ExecutableSearch;
}

/**
 * Looks up where the commands of a call would run.
 * @param parsed - the call's command
 * @param place - where it starts
 * @param search - finds programs
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
 * The folders in which each command may run. What changes the folder may be skipped or be in a subshell, so
 * that after it both folders count; after a change that cannot be followed none is known.
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

/** The folders before and after a change to another one; undefined when they are too many or not known. */
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
