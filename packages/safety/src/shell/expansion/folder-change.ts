import type { LiteralProgram, LiteralRedirection } from "../literal/literal-command.js";
import { type ExpansionScene, NotExpandable } from "./expanded-command.js";
import { isLate } from "./late-words.js";
import { absolute } from "./patterns.js";
import type { ShellState } from "./shell-state.js";

/**
 * Changes the folder as `cd`, `pushd` and `popd` do.
 * @param words - builtin and its words
 * @param redirections - redirections, which may only drop what it prints
 * @param state - state of the shell, whose folders change
 * @param scene - files of the workspace
 * @returns the change as the host performs it, then the program that prints the folders
 * @throws NotExpandable when the folder is not known, or outside the workspace
 */
export async function folderChange(
  words: readonly string[],
  redirections: readonly LiteralRedirection[],
  state: ShellState,
  { files }: ExpansionScene,
): Promise<readonly LiteralProgram[]> {
  const [name = "", ...rest] = words;
  const dropped = redirections.filter(
    ({ operator, target }) => operator === ">" && target === "/dev/null",
  );
  const isMerged = redirections.every(
    (redirection) => dropped.includes(redirection) || redirection.operator === ">&",
  );
  if (!isMerged) throw new NotExpandable(name);
  const { folder: before, pushed } = state;
  const target = name === "popd" ? popped(rest, state) : entered(name, rest, state);
  const folder = resolved(target, before);
  if ((await files.kind(folder)) !== "folder") throw new NotExpandable(name);
  if (name === "pushd") state.pushed = [before, ...pushed];
  state.folder = folder;
  state.previous = before;
  const change = { program: "cd", arguments: [folder], redirections: [] };
  const isPrinted = name !== "cd" || rest[0] === "-";
  if (!isPrinted || dropped.some(({ descriptor }) => descriptor === 1)) return [change];
  const shown =
    name === "cd" ? [folder] : [folder, ...state.pushed].map((path) => short(path, state));
  return [change, { program: "echo", arguments: [shown.join(" ")], redirections: [] }];
}

function entered(name: string, rest: readonly string[], state: ShellState): string {
  const [target = "", ...more] = rest;
  if (name === "cd" && target === "-" && more.length === 0 && state.previous !== undefined) {
    return state.previous;
  }
  const isOption = /^[-+]/.test(target);
  if (more.length > 0 || target === "" || isOption || isLate(target)) throw new NotExpandable(name);
  return target;
}

function popped(rest: readonly string[], state: ShellState): string {
  const [top, ...others] = state.pushed;
  if (rest.length > 0 || top === undefined) throw new NotExpandable("popd");
  state.pushed = others;
  return top;
}

/** Follows `..` by the names in the path, as shells do. */
function resolved(target: string, from: string): string {
  const names: string[] = [];
  for (const segment of absolute(target, from).split("/")) {
    if (segment === "..") names.pop();
    else if (segment !== "" && segment !== ".") names.push(segment);
  }
  return `/${names.join("/")}`;
}

/** Shows the home folder as `~`, as shells do in their list of folders. */
function short(path: string, state: ShellState): string {
  const home = state.valueOf("HOME");
  if (home === undefined || home === "/" || home === "") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
