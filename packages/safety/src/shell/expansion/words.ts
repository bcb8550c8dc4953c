import type { CommandExpansionPart, ProcessSubstitutionPart, Word, WordPart } from "unbash";
import type { ShellGrammar } from "../grammar/grammar.js";
import { braceWords } from "../grammar/word.js";
import { compute } from "./arithmetic.js";
import { type ExpansionBudget, type ExpansionFiles, NotExpandable } from "./expanded-command.js";
import type { ConditionMeans } from "./file-tests.js";
import { asUnquoted } from "./late-words.js";
import { parameterValue } from "./parameters.js";
import { hasPattern, type Piece, pathsOf, plainText } from "./patterns.js";

/** Maximum number of words of a command. */
const MOST_WORDS = 1000;
const BLANKS = /[ \t\n]+/;
const NAME = /^\$\{?([A-Za-z_]\w*|[?#])\}?$/;

/** Means of the expansion of words. */
export interface WordMeans {
  readonly grammar: ShellGrammar;
  readonly files: ExpansionFiles;
  readonly budget: ExpansionBudget;
  /** Absolute path of the current folder. */
  folder(): string;
  /** Returns the value of a variable; undefined when it is not set. */
  valueOf(name: string): string | undefined;
  /** Returns the output of a substitution without the line ends after it. */
  outputOf(part: CommandExpansionPart): Promise<string>;
  /** Returns what stands for a file with the output of a process substitution. */
  fileOf(part: ProcessSubstitutionPart): Promise<string>;
  /** Returns the output of a process substitution; throws when only its programs know it. */
  contentOf(part: ProcessSubstitutionPart): Promise<string>;
}

/** Text of a part of a word. */
interface Run {
  readonly text: string;
  /** True when white space in it separates words. */
  readonly splits: boolean;
  readonly isPattern: boolean;
}

/**
 * Returns the words that a word becomes: braces, variables, substitutions and patterns are replaced.
 * @param word - as parsed by the grammar
 * @param means - variables, substitutions and files
 * @throws NotExpandable when part of it is known only to a shell
 */
export async function fieldsOf(word: Word, means: WordMeans): Promise<string[]> {
  const words = braceWords(word, means.grammar);
  if (words === undefined) throw new NotExpandable("too many alternatives");
  const fields: string[] = [];
  for (const each of words) {
    for (const pieces of splitRuns(await runsOf(each, means), each.parts === undefined)) {
      if (!hasPattern(pieces)) fields.push(plainText(pieces));
      else fields.push(...(await pathsOf(pieces, means.folder(), means.files, means.budget)));
    }
    if (fields.length > MOST_WORDS) throw new NotExpandable("too many words");
  }
  means.budget.take(fields.length);
  return fields;
}

/** Returns the text of a word where neither words nor patterns are made of it, as after `=`. */
export async function textOf(word: Word, means: WordMeans): Promise<string> {
  return plainText(await runsOf(word, means));
}

/** Returns a word as a pattern. */
export async function patternPieces(word: Word, means: WordMeans): Promise<readonly Piece[]> {
  return await runsOf(word, means);
}

/** Returns the means of the words of a `[[ … ]]`. */
export function conditionMeans(means: WordMeans): ConditionMeans {
  return {
    folder: means.folder(),
    files: means.files,
    textOf: (word) => textOf(word, means),
    patternOf: (word) => patternPieces(word, means),
  };
}

/** Returns the text of parts, as in double quotes and here-documents. */
export async function quotedText(parts: readonly WordPart[], means: WordMeans): Promise<string> {
  const texts: string[] = [];
  for (const part of parts) texts.push((await runOf(part, means)).text);
  return texts.join("");
}

async function runsOf({ text, value, parts }: Word, means: WordMeans): Promise<Run[]> {
  const home = tildeOf(text, means);
  if (parts === undefined) {
    const plain = home === undefined ? value : home + value.slice(1);
    return [{ text: plain, splits: false, isPattern: false }];
  }
  const runs: Run[] = [];
  for (const [index, part] of parts.entries()) {
    const found = await runOf(part, means);
    const run = found.splits ? { ...found, text: asUnquoted(found.text) } : found;
    if (index === 0 && home !== undefined) runs.push({ ...run, text: home + run.text.slice(1) });
    else runs.push(run);
  }
  return runs;
}

/** Returns the home folder for a word that starts with `~`. */
function tildeOf(text: string, means: WordMeans): string | undefined {
  if (!text.startsWith("~")) return undefined;
  const home = means.valueOf("HOME");
  if (!/^~(?:\/|$)/.test(text) || home === undefined) throw new NotExpandable("a home folder");
  return home;
}

async function runOf(part: WordPart, means: WordMeans): Promise<Run> {
  const literal = (text: string): Run => ({ text, splits: false, isPattern: false });
  const expanded = (text: string): Run => ({ text, splits: true, isPattern: true });
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return literal(part.value);
    case "Glob":
      return { text: part.text, splits: false, isPattern: true };
    case "DoubleQuoted":
      return literal(await quotedText(part.parts, means));
    case "SimpleExpansion": {
      const name = NAME.exec(part.text)?.[1];
      if (name === undefined) throw new NotExpandable(part.text);
      return expanded(means.valueOf(name) ?? "");
    }
    case "ParameterExpansion":
      return expanded(
        await parameterValue(part, {
          valueOf: (name) => means.valueOf(name),
          textOf: (word) => textOf(word, means),
          patternOf: (word) => patternPieces(word, means),
        }),
      );
    case "CommandExpansion":
      return expanded(await means.outputOf(part));
    case "ProcessSubstitution":
      return literal(await means.fileOf(part));
    case "ArithmeticExpansion":
      return expanded(String(compute(part.expression, (name) => means.valueOf(name) ?? "0")));
    default:
      throw new NotExpandable(part.type);
  }
}

/** Splits unquoted expansions at white space; an unquoted expansion that is empty makes no word. */
function splitRuns(runs: readonly Run[], isLiteral: boolean): Piece[][] {
  if (isLiteral) return [[...runs]];
  const fields: Piece[][] = [];
  let open: Piece[] | undefined;
  for (const { text, splits, isPattern } of runs) {
    const parts = splits ? text.split(BLANKS) : [text];
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        if (open !== undefined) fields.push(open);
        open = undefined;
      }
      if (part !== "" || !splits) open = [...(open ?? []), { text: part, isPattern }];
    }
  }
  if (open !== undefined) fields.push(open);
  return fields;
}
