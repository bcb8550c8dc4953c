import type { LateWord } from "../literal/literal-command.js";
import { NotExpandable } from "./expanded-command.js";

/** Private characters, which no command may contain: start, and end of a slot in and outside of quotes. */
const START = "\uE000";
const QUOTED = "\uE001";
const UNQUOTED = "\uE002";
const MARK = /\uE000(\d+)([\uE001\uE002])|\uE003/;
/** Stands for the exit code of the pipeline that ran last. */
export const LATE_EXIT_CODE = "\uE003";
const RESERVED = /[\uE000-\uE003]/;
/** Programs that only print their words, with the number of words that may not be late. */
const PRINTERS: ReadonlyMap<string, number> = new Map([
  ["echo", 0],
  ["printf", 1],
]);

/** Returns the text that stands for the output of a slot. */
export function lateText(slot: number): string {
  return `${START}${slot}${QUOTED}`;
}

/** Returns whether a text contains output that is not known yet. */
export function isLate(text: string): boolean {
  return RESERVED.test(text);
}

/** Returns a text as outside of quotes, where white space in output becomes one space. */
export function asUnquoted(text: string): string {
  return text.replaceAll(QUOTED, UNQUOTED);
}

/**
 * Returns the words of a program as they are shown, with those that are late.
 * @param program - name of the program
 * @param words - words after it
 * @throws NotExpandable when a word is late and the program does more than print it
 */
export function withLateWords(
  program: string,
  words: readonly string[],
): { readonly arguments: readonly string[]; readonly late?: readonly LateWord[] } {
  if (isLate(program)) throw new NotExpandable("a computed program");
  const late: LateWord[] = [];
  const shown = words.map((word, index) => {
    if (!isLate(word)) return word;
    const first = PRINTERS.get(program);
    if (first === undefined || index < first) throw new NotExpandable("a late word");
    const parts = partsOf(word);
    late.push({ index, parts });
    return parts.map((part) => (typeof part === "string" ? part : "…")).join("");
  });
  return late.length === 0 ? { arguments: words } : { arguments: shown, late };
}

function partsOf(word: string): LateWord["parts"] {
  const parts: LateWord["parts"][number][] = [];
  let rest = word;
  for (let found = MARK.exec(rest); found !== null; found = MARK.exec(rest)) {
    if (found.index > 0) parts.push(rest.slice(0, found.index));
    const slot = Number(found[1]);
    if (found[0] === LATE_EXIT_CODE) parts.push({ isExitCode: true });
    else parts.push(found[2] === UNQUOTED ? { slot, isJoined: true } : { slot });
    rest = rest.slice(found.index + found[0].length);
  }
  return rest === "" ? parts : [...parts, rest];
}
