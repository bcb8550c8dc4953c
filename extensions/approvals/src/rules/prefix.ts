import { nameOf } from "../destructive-rule.js";
import { matchesPath } from "./path-pattern.js";

/** Word, or alternative words for the same position. */
export type PrefixPosition = string | readonly string[];

/**
 * First words of a command: the program, then words exactly as written, with alternatives per
 * position.
 */
export type CommandPrefix = readonly [PrefixPosition, ...PrefixPosition[]];

/** Word that the shell may replace by names of files. */
const PATTERN = /[*?[]/;

/** Absolute paths of the files that a program word refers to; empty when it is not found. */
export type ProgramFiles = readonly string[];

/**
 * Returns whether the words of a command start with a prefix. The program matches by its name, or
 * by a path pattern for its file; every other word must be equal.
 * @param prefix - prefix of a rule
 * @param words - words of the command, the program first; undefined for a word computed at run time
 * @returns `maybe` when the result depends on a word computed at run time
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
    // Such a word can expand to any number of words.
    return word === undefined || PATTERN.test(word) ? "maybe" : "no";
  }
  return "yes";
}

function namesProgram(name: string, word: string, files: ProgramFiles): boolean {
  if (!name.includes("/"))
    return [word, ...files].some((file) => nameOf(file) === name.toLowerCase());
  return [word, ...files].some((file) => file.includes("/") && matchesPath(name, file));
}
