import { nameOf } from "../destructive-rule.js";
import { matchesPath } from "./path-pattern.js";

/** A word, or the words that may stand in its place. */
export type PrefixPosition = string | readonly string[];

/** The first words of a command: the program, then words exactly as written, with alternatives per position. */
export type CommandPrefix = readonly [PrefixPosition, ...PrefixPosition[]];

/** A word that the shell may replace by names of files. */
const PATTERN = /[*?[]/;

/** The files that a program word means, absolute; empty when it is not found. */
export type ProgramFiles = readonly string[];

/**
 * Returns whether the words of a command start with a prefix. A program is named by its name, or by a path
 * pattern for its file; every other word has to be the same.
 * @param prefix - of a rule
 * @param words - of the command, the program first; one that is computed at run time is undefined
 * @param files - of the program
 * @returns `maybe` when that depends on a word that is computed at run time
 */
export function matchesPrefix(
  prefix: CommandPrefix,
  words: readonly (string | undefined)[],
  files: ProgramFiles = [],
): "yes" | "maybe" | "no" {
  for (const [index, position] of prefix.entries()) {
    if (index >= words.length) return "no";
    const word = words[index];
    const alternatives = typeof position === "string" ? [position] : position;
    const isMeant =
      word !== undefined &&
      (index === 0
        ? alternatives.some((name) => namesProgram(name, word, files))
        : alternatives.includes(word));
    if (isMeant) continue;
    // Such a word can become any number of words.
    return word === undefined || PATTERN.test(word) ? "maybe" : "no";
  }
  return "yes";
}

function namesProgram(name: string, word: string, files: ProgramFiles): boolean {
  if (!name.includes("/"))
    return [word, ...files].some((file) => nameOf(file) === name.toLowerCase());
  return [word, ...files].some((file) => file.includes("/") && matchesPath(name, file));
}
