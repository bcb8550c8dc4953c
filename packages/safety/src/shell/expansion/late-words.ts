import type { LateWord, ListedNames, LiteralProgram } from "../literal/literal-command.js";
import { NotExpandable } from "./expanded-command.js";

/** Private characters, which no command may contain: start, and end of a slot in and outside of quotes. */
const START = "\uE000";
const QUOTED = "\uE001";
const UNQUOTED = "\uE002";
const AS_FILE = "\uE004";
const MARK = /\uE000(\d+)([\uE001\uE002])|\uE003/;
const FILE = /^\uE000(\d+)\uE004$/;
/** Shown for a late word that is a file or names: a file of the workspace that does not exist. */
const PLACEHOLDER = /…\d/;
/** Stands for the exit code of the pipeline that ran last. */
export const LATE_EXIT_CODE = "\uE003";
const RESERVED = /[\uE000-\uE004]/;
/** Maximum number of files of kept output for one program. */
const MOST_FILES = 4;
/** Programs that only print their words or parts of them, with the number of words that may not be late. */
const PRINTERS: ReadonlyMap<string, number> = new Map([
  ["basename", 0],
  ["dirname", 0],
  ["echo", 0],
  ["printf", 1],
]);

/** Returns the text that stands for the output of a slot. */
export function lateText(slot: number): string {
  return `${START}${slot}${QUOTED}`;
}

/** Returns the word that stands for a file with the output of a slot. */
export function lateFile(slot: number): string {
  return `${START}${slot}${AS_FILE}`;
}

/** Returns whether a text contains output that is not known yet. */
export function isLate(text: string): boolean {
  return RESERVED.test(text);
}

/** Returns whether a text contains output that a shell would divide into words, of which the number is not known. */
export function isDivided(text: string): boolean {
  return text.includes(UNQUOTED);
}

/** Returns a text as outside of quotes, where white space in output becomes one space. */
export function asUnquoted(text: string): string {
  return text.replaceAll(QUOTED, UNQUOTED);
}

/**
 * Returns the words of a program as they are shown, with those that are late.
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
    const slot = FILE.exec(word)?.[1];
    if (slot !== undefined) {
      late.push({ index, parts: [{ slot: Number(slot), isFile: true }] });
      return placeholder(index);
    }
    if (word.includes(AS_FILE)) throw new NotExpandable("a file as part of a word");
    const first = PRINTERS.get(program);
    if (first === undefined || index < first) throw new NotExpandable("a late word");
    const parts = partsOf(word);
    late.push({ index, parts });
    return parts.map((part) => (typeof part === "string" ? part : "…")).join("");
  });
  if (late.length === 0) return { arguments: words };
  const files = late.filter(({ parts: [part] }) => typeof part === "object" && "isFile" in part);
  // A word that looks like a placeholder could be taken for one.
  if (files.length > MOST_FILES || words.some((word) => PLACEHOLDER.test(word))) {
    throw new NotExpandable("files");
  }
  return { arguments: shown, late };
}

/**
 * Returns a program with names that the programs before it print, after its words.
 * @param program - program without late words
 * @param names - separator of the names
 * @throws NotExpandable when one of its words could be taken for the names
 */
export function withListedNames(program: LiteralProgram, names: ListedNames): LiteralProgram {
  const index = program.arguments.length;
  if (program.late !== undefined || program.arguments.some((word) => PLACEHOLDER.test(word))) {
    throw new NotExpandable("names");
  }
  return {
    ...program,
    arguments: [...program.arguments, placeholder(index)],
    late: [{ index, parts: [names] }],
  };
}

function placeholder(index: number): string {
  return `…${index}`;
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
