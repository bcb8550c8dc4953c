import { homedir } from "node:os";
import { resolve } from "node:path";
import type { SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import { matchesArguments, matchesPath } from "./argument-pattern.js";
import type { CommandPlace } from "./command-place.js";
import type { NumberedEntry } from "./config.js";
import { runsInlineCode } from "./interpreter.js";
import { type Folders, realPathOf } from "./workspace.js";

/**
 * The first entry that names a command (APPR-037, APPR-040).
 * @param entries - those that hold for the agent
 * @param command - whose surroundings nothing is to be said against
 * @param place - where it would run
 * @param folders - in which it may run
 */
export async function findEntry(
  entries: readonly NumberedEntry[],
  command: SimpleCommand,
  place: CommandPlace,
  folders: Folders,
): Promise<NumberedEntry | undefined> {
  for (const entry of entries) {
    if ((await names(entry, command, place)) && (await holdsIn(entry, place, folders)))
      return entry;
  }
  return undefined;
}

async function names(
  { pattern, argPattern }: NumberedEntry,
  { program, arguments: words }: SimpleCommand,
  { search, workspace }: CommandPlace,
): Promise<boolean> {
  if (program === undefined || program === "") return false;
  if (argPattern !== undefined && !matchesArguments(argPattern, words)) return false;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (argPattern === undefined && runsInlineCode(name, words)) return false;
  if (!pattern.includes("/")) return search.means(program, pattern, workspace);
  const found = await search.find(program, workspace);
  return (
    found?.kind === "file" && matchesPath(pattern.replace(/^~(?=\/)/, homedir()), found.realPath)
  );
}

async function holdsIn(
  { cwd }: NumberedEntry,
  { workspace }: CommandPlace,
  folders: Folders,
): Promise<boolean> {
  if (cwd === undefined) return true;
  const wanted = await realPathOf(resolve(workspace.root, cwd.replace(/^~(?=\/|$)/, homedir())));
  return folders?.every((folder) => folder === wanted || folder.startsWith(`${wanted}/`)) === true;
}
