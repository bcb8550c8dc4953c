import type { ParsedScript, Word, WordPart } from "unbash";
import { braceAlternatives } from "./brace-expansion.js";
import type { ShellGrammar } from "./grammar.js";

/** Most words that one word may become by brace expansion. */
const MOST_WORDS = 64;
/** Stands in code for a part that is computed at run time. */
export const COMPUTED = "$_";
const FIELD_SEPARATOR = /^\$(?:IFS|\{IFS\})$/;

/** A word of a command after expansion. */
export interface ShellWord {
  /** Its text without quotes; undefined when part of it is computed at run time. */
  readonly value: string | undefined;
  /** Whether it is a pattern that file names decide. */
  readonly isPattern: boolean;
  /** The parts it was made of, to read it as code; absent when `value` says it all. */
  readonly parts?: readonly WordPart[];
  /** In place of parts: its text with `COMPUTED` for what another program puts in. */
  readonly template?: string;
}

/** The texts of words; undefined where one is computed at run time. */
export function valuesOf(words: readonly ShellWord[]): (string | undefined)[] {
  return words.map(({ value }) => value);
}

/** A word read as shell code. */
export interface ShellCode {
  readonly text: string;
  /** Whether none of it is computed at run time. */
  readonly complete: boolean;
}

/** Finds out what a substitution would print, if that is certain; else undefined. */
export type StaticOutput = (script: ParsedScript | undefined) => string | undefined;

/**
 * The words that a word becomes when braces are expanded and `$IFS` separates.
 * @param word - as the grammar read it
 * @param grammar - reads what brace expansion gives
 */
export function expandWord(word: Word, grammar: ShellGrammar): ShellWord[] {
  const raws = expandBraces(word, grammar, { left: MOST_WORDS });
  if (raws === undefined) return [{ value: undefined, isPattern: false }];
  return raws.flatMap(({ value, parts }) =>
    parts === undefined ? [{ value, isPattern: false }] : splitFields(parts).map(wordOf),
  );
}

/** The word as it stands, where neither braces nor `$IFS` are expanded. */
export function plainWord({ value, parts }: Pick<Word, "value" | "parts">): ShellWord {
  return parts === undefined ? knownWord(value) : wordOf(parts);
}

/** A word whose text is known. */
export function knownWord(value: string): ShellWord {
  return { value, isPattern: false };
}

/** A word into which another program puts text at run time. */
export function filledWord(template: string): ShellWord {
  return { value: undefined, isPattern: false, template };
}

/**
 * Reads a word as code, as `eval` and `sh -c` do.
 * @param word - a word of a command
 * @param outputOf - what a substitution would print
 */
export function codeOf(word: ShellWord, outputOf: StaticOutput): ShellCode {
  if (word.value !== undefined) return { text: word.value, complete: !word.isPattern };
  if (word.parts === undefined) return { text: word.template ?? COMPUTED, complete: false };
  return joinCode(
    word.parts.map((part) => partCode(part, outputOf)),
    "",
  );
}

/** Several pieces of code as one. */
export function joinCode(pieces: readonly ShellCode[], separator: string): ShellCode {
  return {
    text: pieces.map(({ text }) => text).join(separator),
    complete: pieces.every(({ complete }) => complete),
  };
}

/** How many expansions are still bearable. */
interface Budget {
  left: number;
}

/** Undefined when there would be too many words. */
function expandBraces(word: Word, grammar: ShellGrammar, budget: Budget): Word[] | undefined {
  const brace = word.parts?.find((part) => part.type === "BraceExpansion");
  if (brace === undefined) return [word];
  const alternatives = braceAlternatives(brace.text, MOST_WORDS) ?? [];
  budget.left -= alternatives.length;
  if (alternatives.length === 0 || budget.left < 0) return undefined;
  const before = word.text.slice(0, brace.pos - word.pos);
  const behind = word.text.slice(brace.end - word.pos);
  const words: Word[] = [];
  for (const alternative of alternatives) {
    for (const inner of wordsIn(before + alternative + behind, grammar)) {
      const expanded = expandBraces(inner, grammar, budget);
      if (expanded === undefined) return undefined;
      words.push(...expanded);
    }
  }
  return words;
}

function wordsIn(source: string, grammar: ShellGrammar): Word[] {
  return grammar
    .parse(`: ${source}`)
    .commands.map(({ command }) => command)
    .filter((command) => command.type === "Command")
    .flatMap(({ suffix }) => suffix)
    .filter((node) => node.type === "Word");
}

/** Unquoted `$IFS` stands for white space between words. */
function splitFields(parts: readonly WordPart[]): WordPart[][] {
  const fields: WordPart[][] = [[]];
  for (const part of parts) {
    if (FIELD_SEPARATOR.test(part.text)) fields.push([]);
    else fields.at(-1)?.push(part);
  }
  return fields.length === 1 ? fields : fields.filter((field) => field.length > 0);
}

function wordOf(parts: readonly WordPart[]): ShellWord {
  const values = parts.map(partValue);
  const value = values.includes(undefined) ? undefined : values.join("");
  return { value, isPattern: parts.some(isPatternPart), parts };
}

function isPatternPart({ type }: WordPart): boolean {
  return type === "Glob" || type === "ExtendedGlob";
}

/** The text of a part; undefined when it is computed. A pattern stands for itself. */
function partValue(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return part.value;
    case "ExtendedGlob":
      return part.text;
    case "DoubleQuoted":
    case "LocaleString": {
      const values = part.parts.map(partValue);
      return values.includes(undefined) ? undefined : values.join("");
    }
    default:
      return undefined;
  }
}

function partCode(part: WordPart, outputOf: StaticOutput): ShellCode {
  if (part.type === "DoubleQuoted" || part.type === "LocaleString") {
    return joinCode(
      part.parts.map((child) => partCode(child, outputOf)),
      "",
    );
  }
  const text = part.type === "CommandExpansion" ? outputOf(part.script) : partValue(part);
  return text === undefined ? { text: COMPUTED, complete: false } : { text, complete: true };
}
