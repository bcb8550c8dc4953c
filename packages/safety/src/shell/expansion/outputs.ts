import { formatText } from "../grammar/escapes.js";
import type { LiteralProgram } from "../literal/literal-command.js";
import { type ExpansionBudget, type ExpansionFiles, NotExpandable } from "./expanded-command.js";
import { foundFiles } from "./found-files.js";
import { absolute, byCharacters } from "./patterns.js";
import { trackedFiles } from "./tracked-files.js";

/** Maximum length of an output. */
const LONGEST = 100_000;
const COUNT = /^\d{1,6}$/;
const SIMPLE_PATTERN = /^\^?(?:[\w /:@,=-]|\\\.)+\$?$/;
const NOWHERE = "/dev/null";
/** Characters that `tr` reads as themselves or as an escape. */
const CHARACTERS = new Map([
  ["\\n", "\n"],
  ["\\t", "\t"],
  ...Array.from(" ,:;/|=_.@'\"", (character) => [character, character] as const),
]);

/** Place in which an output is computed. */
export interface OutputPlace {
  readonly folder: string;
  readonly files: ExpansionFiles;
  readonly budget: ExpansionBudget;
}

/**
 * Computes what a program prints without running it.
 * @param program - program with its words
 * @param input - its input; undefined when it is empty
 * @param place - folder and files
 * @throws NotExpandable when only the program knows it
 */
export async function outputOf(
  { program, arguments: words, redirections, late, variables }: LiteralProgram,
  input: string | undefined,
  place: OutputPlace,
): Promise<string> {
  if (late !== undefined || variables !== undefined) throw new NotExpandable(program);
  let given = input ?? "";
  for (const { descriptor, operator, target } of redirections) {
    if (operator === "<<") given = target;
    else if (operator === "<") given = await contentOf(target, place);
    else if (descriptor !== 2 || target !== NOWHERE) throw new NotExpandable("a redirection");
  }
  const output = await printed(program, words, given, place);
  if (output.length > LONGEST) throw new NotExpandable("a long output");
  place.budget.take(Math.ceil(output.length / 100));
  return output;
}

async function printed(
  program: string,
  words: readonly string[],
  input: string,
  place: OutputPlace,
): Promise<string> {
  switch (program) {
    case "echo": {
      const isOpen = words[0] === "-n";
      const text = (isOpen ? words.slice(1) : words).join(" ");
      if (/^-/.test(text)) throw new NotExpandable(program);
      return isOpen ? text : `${text}\n`;
    }
    case "printf": {
      const [format = "", ...rest] = words;
      if (!/^(?:[^%\\]|%[sd%]|\\[nt0\\])*$/u.test(format)) throw new NotExpandable(program);
      return formatText(format, rest);
    }
    case "pwd":
      if (words.length > 0) throw new NotExpandable(program);
      return `${place.folder}\n`;
    case "true":
      return "";
    case "seq":
      return sequence(words);
    case "basename": {
      const [path = "", suffix = "", ...more] = words;
      const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
      if (more.length > 0 || path.startsWith("-") || name === "") throw new NotExpandable(program);
      const isSuffixed = suffix !== "" && name !== suffix && name.endsWith(suffix);
      return `${isSuffixed ? name.slice(0, -suffix.length) : name}\n`;
    }
    case "dirname": {
      const [path = "", ...more] = words;
      if (more.length > 0 || !/^[^-/][^/]*(?:\/[^/]+)*$/.test(path))
        throw new NotExpandable(program);
      return path.includes("/") ? `${path.slice(0, path.lastIndexOf("/"))}\n` : ".\n";
    }
    case "ls":
      return await listed(words, place);
    case "git":
      return await trackedFiles(words, place.folder, place.files);
    case "find": {
      const { paths, end } = await foundFiles(words, place.folder, place.files, place.budget);
      return paths.map((path) => `${path}${end}`).join("");
    }
    default:
      return await filtered(program, words, input, place);
  }
}

function sequence(words: readonly string[]): string {
  if (words.length === 0 || words.length > 3 || !words.every((word) => COUNT.test(word))) {
    throw new NotExpandable("seq");
  }
  const numbers = words.map(Number);
  const last = numbers.at(-1) ?? 0;
  const [first = 1, step = 1] =
    numbers.length === 1 ? [] : numbers.length === 2 ? [numbers[0]] : numbers;
  if (step === 0 || (last - first) / step > 1000) throw new NotExpandable("seq");
  let text = "";
  for (let number = first; number <= last; number += step) text += `${number}\n`;
  return text;
}

async function listed(words: readonly string[], place: OutputPlace): Promise<string> {
  const { options, operands } = splitOptions(words, /^-[1ad]+$/);
  const isAll = options.some((option) => option.includes("a"));
  if (isAll) throw new NotExpandable("ls -a");
  const isItself = options.some((option) => option.includes("d"));
  const paths = operands.length === 0 ? ["."] : operands;
  const names: string[] = [];
  for (const path of paths) {
    const kind = await place.files.kind(absolute(path, place.folder));
    if (kind === undefined || kind === "none") throw new NotExpandable("a missing file");
    if (kind !== "folder" || isItself) names.push(path);
    else if (paths.length > 1) throw new NotExpandable("several folders");
    else {
      const entries = await place.files.list(absolute(path, place.folder));
      if (entries === undefined) throw new NotExpandable("a folder outside");
      names.push(...entries.map(({ name }) => name).filter((name) => !name.startsWith(".")));
    }
  }
  return names
    .sort(byCharacters)
    .map((name) => `${name}\n`)
    .join("");
}

/** Computes programs that pass on lines of their input or of files. */
async function filtered(
  program: string,
  words: readonly string[],
  input: string,
  place: OutputPlace,
): Promise<string> {
  const read = async (operands: readonly string[]) => {
    const texts: string[] = [];
    for (const path of operands) texts.push(await contentOf(path, place));
    return operands.length === 0 ? input : texts.join("");
  };
  switch (program) {
    case "cat": {
      const { operands } = splitOptions(words, /^$/);
      return await read(operands);
    }
    case "head":
    case "tail": {
      const { count, operands } = countOf(words);
      if (operands.length > 1) throw new NotExpandable(program);
      const lines = linesOf(await read(operands));
      return joined(
        program === "head" ? lines.slice(0, count) : count === 0 ? [] : lines.slice(-count),
      );
    }
    case "sort": {
      const { options, operands } = splitOptions(words, /^-[ru]+$/);
      const flags = options.join("");
      const lines = linesOf(await read(operands)).sort(byCharacters);
      const kept = flags.includes("u") ? [...new Set(lines)] : lines;
      return joined(flags.includes("r") ? kept.reverse() : kept);
    }
    case "uniq": {
      if (words.length > 0) throw new NotExpandable(program);
      const lines = linesOf(input);
      return joined(lines.filter((line, index) => line !== lines[index - 1]));
    }
    case "wc": {
      const [option, ...operands] = words;
      if (option !== "-l" || operands.length > 0) throw new NotExpandable(program);
      return `${input.split("\n").length - 1}\n`;
    }
    case "grep": {
      const { options, operands } = splitOptions(words, /^-[viEFn]+$/);
      const [pattern = "", ...paths] = operands;
      const flags = options.join("");
      if (!SIMPLE_PATTERN.test(pattern) || paths.length > 1) throw new NotExpandable(program);
      if (flags.includes("F") && /[\\^$]/.test(pattern)) throw new NotExpandable(program);
      const expression = new RegExp(pattern, flags.includes("i") ? "i" : "");
      const isNumbered = flags.includes("n");
      const lines = linesOf(await read(paths)).flatMap((line, index) =>
        expression.test(line) === flags.includes("v")
          ? []
          : [isNumbered ? `${index + 1}:${line}` : line],
      );
      return joined(lines);
    }
    case "cut":
      return joined(linesOf(input).map(fieldOf(words)));
    case "tr":
      return translated(words, input);
    default:
      throw new NotExpandable(program);
  }
}

/** Returns what `cut` prints of a line for one field; a line without the separator is printed as a whole. */
function fieldOf(words: readonly string[]): (line: string) => string {
  const [, separator, field] = /^-d ?([!-~ ]) -f ?([1-9]\d?)$/.exec(words.join(" ")) ?? [];
  const isPlain = words.every((word) => word === " " || word === "-d " || !word.includes(" "));
  if (separator === undefined || separator === "\\" || !isPlain) throw new NotExpandable("cut");
  return (line) =>
    line.includes(separator) ? (line.split(separator)[Number(field) - 1] ?? "") : line;
}

/** Returns what `tr` prints for one character that becomes another one, or is left out. */
function translated([from = "", to = "", ...more]: readonly string[], input: string): string {
  const isDeletion = from === "-d";
  const before = CHARACTERS.get(isDeletion ? to : from);
  const after = isDeletion ? "" : CHARACTERS.get(to);
  if (more.length > 0 || before === undefined || after === undefined) throw new NotExpandable("tr");
  return input.replaceAll(before, after);
}

function splitOptions(
  words: readonly string[],
  form: RegExp,
): { readonly options: readonly string[]; readonly operands: readonly string[] } {
  const first = words.findIndex((word) => !word.startsWith("-"));
  const options = first === -1 ? words : words.slice(0, first);
  const operands = first === -1 ? [] : words.slice(first);
  if (options.some((option) => !form.test(option)) || operands.some((word) => /^-/.test(word))) {
    throw new NotExpandable("options");
  }
  return { options, operands };
}

function countOf(words: readonly string[]): {
  readonly count: number;
  readonly operands: readonly string[];
} {
  const [first = "", second = "", ...more] = words;
  const attached = /^-(?:n)?(\d{1,6})$/.exec(first)?.[1];
  if (attached !== undefined) return { count: Number(attached), operands: words.slice(1) };
  if (first === "-n" && COUNT.test(second)) return { count: Number(second), operands: more };
  if (first.startsWith("-")) throw new NotExpandable(first);
  return { count: 10, operands: words };
}

async function contentOf(path: string, { files, folder }: OutputPlace): Promise<string> {
  if (path === NOWHERE) return "";
  const text = await files.text(absolute(path, folder));
  if (text === undefined) throw new NotExpandable("a file");
  return text;
}

/**
 * Returns the lines of a text without their ends.
 * @param text - text whose last line may lack its end
 */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
