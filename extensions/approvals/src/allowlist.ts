import { homedir } from "node:os";
import { resolve } from "node:path";
import type { LiteralProgram } from "@openclaw/plugin-sdk/hooks";
import { matchesArguments, matchesPath } from "./argument-pattern.js";
import type { CommandPlace } from "./command-place.js";
import type { NumberedEntry } from "./config.js";
import { runsInlineCode } from "./interpreter.js";
import { type Folders, realPathOf } from "./workspace.js";

/**
 * The first entry that names a command (APPR-037, APPR-040).
 * @param entries - those that hold for the agent
 * @param command - a program with literal words
 * @param place - where it would run
 * @param folders - in which it may run
 * @param wrappers - names of programs that run another one here; an entry must name their words
 */
export async function findEntry(
  entries: readonly NumberedEntry[],
  command: LiteralProgram,
  place: CommandPlace,
  folders: Folders,
  wrappers: ReadonlySet<string>,
): Promise<NumberedEntry | undefined> {
  for (const entry of entries) {
    if ((await names(entry, command, place, wrappers)) && (await holdsIn(entry, place, folders)))
      return entry;
  }
  return undefined;
}

async function names(
  { pattern, argPattern }: NumberedEntry,
  { program, arguments: words }: LiteralProgram,
  { search, workspace }: CommandPlace,
  wrappers: ReadonlySet<string>,
): Promise<boolean> {
  if (argPattern !== undefined && !matchesArguments(argPattern, words)) return false;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (argPattern === undefined && (wrappers.has(name) || runsInlineCode(name, words))) return false;
  if (!pattern.includes("/")) return search.means(program, pattern, workspace);
  const found = await search.find(program, workspace);
  return found !== undefined && matchesPath(pattern.replace(/^~(?=\/)/, homedir()), found.realPath);
}

async function holdsIn(
  { cwd }: NumberedEntry,
  { workspace }: CommandPlace,
  folders: Folders,
): Promise<boolean> {
  if (cwd === undefined) return true;
  const wanted = await realPathOf(resolve(workspace.root, cwd.replace(/^~(?=\/|$)/, homedir())));
  if (wanted === undefined) return false;
  return folders?.every((folder) => folder === wanted || folder.startsWith(`${wanted}/`)) === true;
}
