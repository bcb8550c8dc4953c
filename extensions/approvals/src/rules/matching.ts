import { homedir } from "node:os";
import { resolve } from "node:path";
import type { LiteralProgram, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "../command-place.js";
import { nameOf } from "../destructive-rule.js";
import { isShell, runsInlineCode } from "../interpreter.js";
import { type Folders, realPathOf } from "../workspace.js";
import { matchesPrefix } from "./prefix.js";
import type { NumberedRule } from "./rule.js";

/** Rule that applies to a command. */
export interface MatchingRule {
  readonly rule: NumberedRule;
  /** False when a word that decides is computed at run time. */
  readonly isCertain: boolean;
}

/**
 * Returns the strictest rule with decision `ask` or `deny` that applies to a command, however a
 * shell would read the rest. A rule that may apply counts, because this is known only when the
 * command runs.
 * @param rules - rules in force for the agent
 * @param command - command inside its wrappers
 * @param place - place where it would run
 * @param folders - folders in which it may run
 */
export async function restrictingRule(
  rules: readonly NumberedRule[],
  command: SimpleCommand,
  place: CommandPlace,
  folders: Folders,
): Promise<MatchingRule | undefined> {
  const found: MatchingRule[] = [];
  const invocations = invocationsOf(command);
  for (const rule of rules) {
    if (rule.decision === "allow") continue;
    for (const words of invocations) {
      const matched = matchesPrefix(rule.prefix, words, await filesOf(words[0], place, folders));
      if (matched === "no" || !(await mayHoldIn(rule, place, folders))) continue;
      found.push({ rule, isCertain: matched === "yes" });
    }
  }
  const strictness = ({ rule, isCertain }: MatchingRule) =>
    (isCertain ? 2 : 0) + (rule.decision === "deny" ? 1 : 0);
  return found.toSorted((one, other) => strictness(other) - strictness(one))[0];
}

/**
 * Returns the rule with decision `allow` that covers a program with literal words, preferably one
 * that requires the sandbox (APPR-037, APPR-040). A name in a rule never covers a program of the
 * workspace.
 * @param rules - rules in force for the agent
 * @param command - program with literal words
 * @param place - place where it would run
 * @param folders - folders in which it may run
 * @param wrappers - names of programs that run another one here; a rule must contain more than
 *   their name
 */
export async function allowingRule(
  rules: readonly NumberedRule[],
  command: LiteralProgram,
  place: CommandPlace,
  folders: Folders,
  wrappers: ReadonlySet<string>,
): Promise<NumberedRule | undefined> {
  let found: NumberedRule | undefined;
  for (const rule of rules) {
    if (rule.decision !== "allow" || (found !== undefined && rule.sandbox === undefined)) continue;
    if (!(await covers(rule, command, place, wrappers))) continue;
    if (!(await holdsIn(rule, place, folders))) continue;
    if (rule.sandbox !== undefined) return rule;
    found = rule;
  }
  return found;
}

async function covers(
  { prefix }: NumberedRule,
  { program, arguments: words }: LiteralProgram,
  { search, workspace }: CommandPlace,
  wrappers: ReadonlySet<string>,
): Promise<boolean> {
  const name = nameOf(program);
  if (prefix.length === 1 && (wrappers.has(name) || isShell(name) || runsInlineCode(name, words)))
    return false;
  const [first, ...rest] = prefix;
  for (const alternative of typeof first === "string" ? [first] : first) {
    if (alternative.includes("/")) {
      const file = await search.find(program, workspace);
      if (file === undefined) continue;
      // The file counts, not its spelling in the command.
      if (matchesPrefix([alternative, ...rest], [file.realPath, ...words]) === "yes") return true;
    } else if (
      matchesPrefix([alternative, ...rest], [alternative, ...words]) === "yes" &&
      (await search.means(program, alternative, workspace))
    ) {
      return true;
    }
  }
  return false;
}

/** Returns the words of a command, and those of each wrapper with its inner command. */
function invocationsOf(command: SimpleCommand): readonly (readonly (string | undefined)[])[] {
  let words: readonly (string | undefined)[] = [command.program, ...command.arguments];
  const invocations = [words];
  for (const wrapper of command.wrapperCommands.toReversed()) {
    words = [wrapper.program, ...wrapper.arguments, ...words];
    invocations.push(words);
  }
  return invocations;
}

/**
 * Returns the files that a program word may refer to: found by its name, or a file of the
 * workspace.
 */
async function filesOf(
  program: string | undefined,
  { search, workspace }: CommandPlace,
  folders: Folders,
): Promise<readonly string[]> {
  if (program === undefined) return [];
  const file = await search.find(program, workspace);
  const found = file === undefined ? [] : [file.path, file.realPath];
  const named = program.includes("/") ? ((await workspace.locate(program, folders)) ?? []) : [];
  return [...found, ...named];
}

async function holdsIn(
  { cwd }: NumberedRule,
  { workspace }: CommandPlace,
  folders: Folders,
): Promise<boolean> {
  if (cwd === undefined) return true;
  const wanted = await folderOf(cwd, workspace.root);
  if (wanted === undefined) return false;
  return folders?.every((folder) => isBelow(folder, wanted)) === true;
}

async function mayHoldIn(
  { cwd }: NumberedRule,
  { workspace }: CommandPlace,
  folders: Folders,
): Promise<boolean> {
  if (cwd === undefined || folders === undefined) return true;
  const wanted = await folderOf(cwd, workspace.root);
  if (wanted === undefined) return true;
  return folders.some((folder) => isBelow(folder, wanted));
}

async function folderOf(cwd: string, root: string): Promise<string | undefined> {
  return await realPathOf(resolve(root, cwd.replace(/^~(?=\/|$)/, homedir())));
}

function isBelow(folder: string, wanted: string): boolean {
  return folder === wanted || folder.startsWith(`${wanted}/`);
}
