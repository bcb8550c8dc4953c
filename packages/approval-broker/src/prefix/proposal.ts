import { redactLeaks } from "@openclaw/safety";
import { isTooWide, runsAnything, subcommandDepth } from "./open-ended.js";
import type { RunScript } from "./script.js";

/** Maximum number of words of a prefix. */
const MOST_WORDS = 8;
const PLAIN = /^[\w@%+=:,./~-]+$/;
const SUBCOMMAND = /^[a-z][a-z0-9:_-]*$/;

/**
 * Returns the words of a command that a granted prefix can consist of: plain words without secrets.
 * Empty where no prefix can be granted.
 * @param words - name of the program without folder, and its words
 * @param script - script that the command runs; `unknown` where it cannot be bound to its text
 */
export function grantableWords(
  words: readonly string[],
  script: RunScript | "unknown" | undefined,
): readonly string[] {
  if (script === "unknown" || runsAnything(words)) return [];
  const end = words.findIndex((word) => !PLAIN.test(word) || redactLeaks(word).text !== word);
  const plain = words.slice(0, Math.min(MOST_WORDS, end === -1 ? words.length : end));
  return plain.length < (script?.words ?? 1) ? [] : plain;
}

/**
 * Returns whether a prefix of a command can be granted.
 * @param length - number of words of the prefix
 * @param offer - words from {@link grantableWords}, the script that the command runs, and the least
 *   number of words
 */
export function isGrantable(
  length: number,
  {
    words,
    script,
    least = 1,
  }: {
    readonly words: readonly string[];
    readonly script?: RunScript | undefined;
    readonly least?: number | undefined;
  },
): boolean {
  if (length < Math.max(least, script?.words ?? 1) || length > words.length) return false;
  return !isTooWide(words.slice(0, length));
}

/**
 * Returns the length of the shortest useful prefix of a command (APPR-021): a script with its name;
 * otherwise the program with the words before the first option or path that name its operation.
 * @param words - words from {@link grantableWords}
 * @param script - script that the command runs
 * @returns number of words; undefined where no prefix is safe
 */
export function proposedLength(
  words: readonly string[],
  script: RunScript | undefined,
): number | undefined {
  const depth = subcommandDepth(words);
  const end = words.findIndex((word, index) => index > 0 && !SUBCOMMAND.test(word));
  const length = script?.words ?? Math.min(depth + 1, end === -1 ? words.length : end);
  return isGrantable(length, { words, script }) ? length : undefined;
}
