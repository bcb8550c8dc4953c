import type { SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import { isGiven, readWords } from "./parsed-arguments.js";
import { judgeFind } from "./reading-find.js";
import { judgeGit } from "./reading-git.js";
import { READING_PROGRAMS, type ReadingProgram } from "./reading-options.js";
import type { Folders, Workspace } from "./workspace.js";

/** Why a command does more than read the workspace; undefined when it does not. */
export type MoreThanReading = string | undefined;

/**
 * Judges whether a program only reads what lies in the workspace and is not private.
 * @param name - of the program
 * @param command - its words
 * @param workspace - what it may read
 * @param folders - where it may run
 */
export async function moreThanReading(
  name: string,
  command: Pick<SimpleCommand, "arguments">,
  workspace: Workspace,
  folders: Folders,
): Promise<MoreThanReading> {
  if (name === "git") return judgeGit(command.arguments, workspace, folders);
  if (name === "find") return judgeFind(command.arguments, workspace, folders);
  const rule = READING_PROGRAMS.get(name);
  return rule === undefined
    ? `it is not known how ${name} reads`
    : judgeByOptions(name, rule, command.arguments, workspace, folders);
}

/** Names of programs that it is known of how they read. */
export const KNOWN_READERS: readonly string[] = [...READING_PROGRAMS.keys(), "find", "git"].sort();

async function judgeByOptions(
  name: string,
  rule: ReadingProgram,
  words: SimpleCommand["arguments"],
  workspace: Workspace,
  folders: Folders,
): Promise<MoreThanReading> {
  if (words.includes(undefined)) {
    return rule.takesComputed === true ? undefined : "a word of it is computed when it runs";
  }
  const given = readWords(words, rule);
  if (isGiven(given, rule.refused?.letters ?? "", rule.refused?.names)) {
    return `with these options ${name} does more than read`;
  }
  const hasText =
    rule.givesText !== undefined && isGiven(given, rule.givesText.letters, rule.givesText.names);
  const texts = rule.text === "all" ? given.operands.length : hasText ? 0 : (rule.text ?? 0);
  const text = [
    ...given.operands.slice(0, texts),
    ...(hasText ? [...given.values.values()].flat() : []),
  ];
  if (
    rule.harmlessText !== undefined &&
    !textsIn(name, text).every((t) => rule.harmlessText?.test(t))
  )
    return `its text makes ${name} do more than read`;
  const files = given.operands.slice(texts);
  if (rule.mostOperands !== undefined && files.length > rule.mostOperands) {
    return `${name} writes to its last operand`;
  }
  const isRecursive =
    rule.recursive !== undefined && isGiven(given, rule.recursive.letters, rule.recursive.names);
  for (const file of isRecursive && files.length === 0 ? ["."] : files) {
    if (file === undefined) return "a word of it is computed when it runs";
    const isFine =
      rule.content === false
        ? await workspace.includes(file, folders)
        : await workspace.mayBeRead(file, folders);
    if (!isFine) return `${file} is outside the workspace, private, or not known`;
    if (isRecursive && (await workspace.holdsPrivateFile(file, folders))) {
      return `${file} holds a private file`;
    }
  }
  return undefined;
}

/** `sed` takes several commands in one text. */
function textsIn(name: string, texts: readonly (string | undefined)[]): string[] {
  const known = texts.flatMap((text) => text ?? []);
  return name === "sed"
    ? known.flatMap((text) => (text.startsWith("s") ? [text] : text.split(";")))
    : known;
}
