import { resolve } from "node:path";
import type { ParsedCommand } from "@openclaw/safety";

/** Folders in which a command is followed. */
const MOST_FOLDERS = 16;
/** Words of `cd` whose folder the shell decides. */
const NOT_LITERAL = /^[-+~]|[*?[]/;

/**
 * Returns the folders in which each part of a command may run. A `cd` may fail or happen in a subshell, so that afterwards
 * both folders are possible.
 * @param command - command of a call
 * @param start - absolute folder in which it starts
 * @returns for each part, undefined after a `cd` that cannot be followed
 */
export function commandFolders(
  { commands }: ParsedCommand,
  start: string,
): readonly (readonly string[] | undefined)[] {
  let folders: readonly string[] | undefined = [start];
  const found: (readonly string[] | undefined)[] = [];
  for (const { program, arguments: words, position } of commands) {
    found.push(folders);
    if (program === "popd" || (program !== "cd" && program !== "pushd")) continue;
    const [target, ...more] = words.filter((word) => word !== "--");
    const isFollowed =
      target !== undefined &&
      more.length === 0 &&
      !NOT_LITERAL.test(target) &&
      position !== "loop" &&
      position !== "function";
    if (!isFollowed || folders === undefined) folders = undefined;
    else {
      const all: string[] = [
        ...new Set([...folders, ...folders.map((folder) => resolve(folder, target))]),
      ];
      folders = all.length > MOST_FOLDERS ? undefined : all;
    }
  }
  return found;
}
