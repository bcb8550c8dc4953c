import { resolve } from "node:path";
import type { ParsedCommand } from "@openclaw/plugin-sdk/hooks";
import type { ExecutableSearch } from "./executable.js";
import { readWords } from "./parsed-arguments.js";
import { type Folders, realPathOf, Workspace } from "./workspace.js";

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

/** What judges of a command know of the machine it would run on. */
export interface CommandPlace {
  readonly workspace: Workspace;
  /** Real path of the folder in which the command starts. */
  readonly start: string;
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
  const start = await realPathOf(resolve(workspace.root, workdir));
  return { workspace, start, folders: await followFolders(parsed, start), search };
}

/**
 * The folders in which each command may run. What changes the folder may be skipped or be in a subshell, so
 * that after it both folders count; after a change that cannot be followed none is known.
 */
async function followFolders({ commands }: ParsedCommand, start: string): Promise<Folders[]> {
  let folders: Folders = [start];
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
    const changed: string[] = await Promise.all(
      folders.map((folder) => realPathOf(resolve(folder, target))),
    );
    const all: string[] = [...new Set([...folders, ...changed])];
    folders = all.length > MOST_FOLDERS ? undefined : all;
  }
  return found;
}
