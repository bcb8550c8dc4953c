import type { ParsedScript, Word, WordPart } from "unbash";
import { braceAlternatives } from "./brace-expansion.js";
import type { ShellGrammar } from "./grammar.js";

/** Maximum number of words that brace expansion of one word may produce. */
const MOST_WORDS = 64;
/** Placeholder in code for a part that is computed at run time. */
export const COMPUTED = "$_";
const FIELD_SEPARATOR = /^\$(?:IFS|\{IFS\})$/;

/** Word of a command after expansion. */
export interface ShellWord {
  /** Text without quotes; undefined when part of it is computed at run time. */
  readonly value: string | undefined;
  /** True for a pattern that expands to file names. */
  readonly isPattern: boolean;
  /** Parts of the word, to read it as code; absent when `value` is complete. */
  readonly parts?: readonly WordPart[];
  /** Replaces the parts where another program inserts text, which is `COMPUTED` in it. */
  readonly template?: string;
}

/** Returns the strings of words; undefined for a word that is computed at run time. */
export function valuesOf(words: readonly ShellWord[]): (string | undefined)[] {
  return words.map(({ value }) => value);
}

/** Word read as shell code. */
export interface ShellCode {
  readonly text: string;
  /** True when none of it is computed at run time. */
  readonly complete: boolean;
}

/** Returns the output of a substitution if it is certain, otherwise undefined. */
export type StaticOutput = (script: ParsedScript | undefined) => string | undefined;

/**
 * Returns the words that a word becomes when braces are expanded and `$IFS` separates.
 * @param word - word as parsed by the grammar
 * @param grammar - grammar that parses the result of brace expansion
 */
export function expandWord(word: Word, grammar: ShellGrammar): ShellWord[] {
  const raws = expandBraces(word, grammar, { left: MOST_WORDS });
  if (raws === undefined) return [{ value: undefined, isPattern: false }];
  return raws.flatMap(({ value, parts }) =>
    parts === undefined ? [{ value, isPattern: false }] : splitFields(parts).map(wordOf),
  );
}

/**
 * Returns the words that a word becomes when only its braces are expanded; undefined when there would be too many.
 * @param word - word as parsed by the grammar
 * @param grammar - grammar that parses the result
 */
export function braceWords(word: Word, grammar: ShellGrammar): Word[] | undefined {
  return expandBraces(word, grammar, { left: MOST_WORDS });
}

/** Returns a word as it is written, for places where neither braces nor `$IFS` are expanded. */
export function plainWord({ value, parts }: Pick<Word, "value" | "parts">): ShellWord {
  return parts === undefined ? knownWord(value) : wordOf(parts);
}

/** Returns a word with a known text. */
export function knownWord(value: string): ShellWord {
  return { value, isPattern: false };
}

/** Returns a word into which another program inserts text at run time. */
export function filledWord(template: string): ShellWord {
  return { value: undefined, isPattern: false, template };
}

/**
 * Reads a word as code, as `eval` and `sh -c` do.
 * @param word - word of a command
 * @param outputOf - output of a substitution
 */
export function codeOf(word: ShellWord, outputOf: StaticOutput): ShellCode {
  if (word.value !== undefined) return { text: word.value, complete: !word.isPattern };
  if (word.parts === undefined) return { text: word.template ?? COMPUTED, complete: false };
  return joinCode(
    word.parts.map((part) => partCode(part, outputOf)),
    "",
  );
}

/** Joins several parts of code. */
export function joinCode(parts: readonly ShellCode[], separator: string): ShellCode {
  return {
    text: parts.map(({ text }) => text).join(separator),
    complete: parts.every(({ complete }) => complete),
  };
}

/** Remaining number of expansions. */
interface Budget {
  left: number;
}

/** Returns undefined when there would be too many words. */
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

/** Splits at an unquoted `$IFS`, which stands for white space between words. */
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

/** Returns the text of a part; undefined when it is computed. A pattern represents itself. */
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
