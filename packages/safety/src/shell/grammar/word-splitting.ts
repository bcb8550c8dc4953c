import { knownWord, type ShellWord } from "./word.js";

const TOKEN =
  /(?<gap>\s+)|"(?<double>(?:\\.|[^"\\])*)"|'(?<single>(?:\\.|[^'\\])*)'|\\(?<escaped>.)|(?<plain>[^\s"'\\]+|.)/gs;
const ESCAPE = /\\(.)/gs;

/** Who splits: `env -S` and `xargs` differ in what a backslash means. */
export type Splitter = "env" | "xargs";

const CONTROL: Readonly<Record<Splitter, ReadonlyMap<string, string>>> = {
  env: new Map([
    ["_", " "],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
    ["v", "\v"],
  ]),
  xargs: new Map(),
};

/**
 * Splits a text into words: quotes group, a backslash takes the next character, and variables are
 * filled in at run time.
 * @param text - undefined when it is computed itself
 * @param splitter - the program that does it
 */
export function splitWords(text: string | undefined, splitter: Splitter): ShellWord[] {
  if (text === undefined) return [{ value: undefined, isPattern: false }];
  const words: string[] = [];
  let isOpen = false;
  for (const { groups = {} } of text.matchAll(TOKEN)) {
    const isGap = groups.gap !== undefined || (splitter === "env" && groups.escaped === "_");
    if (!isGap) words.push((isOpen ? words.pop() : "") + contentOf(groups, splitter));
    isOpen = !isGap;
  }
  return words.map((word) =>
    splitter === "env" && word.includes("${")
      ? { value: undefined, isPattern: false }
      : knownWord(word),
  );
}

/** What one part of a word stands for. */
function contentOf(
  { double, single, escaped, plain }: Record<string, string | undefined>,
  splitter: Splitter,
): string {
  const unescaped = (_: string, character: string) => CONTROL[splitter].get(character) ?? character;
  if (escaped !== undefined) return unescaped("", escaped);
  if (splitter === "xargs") return `${double ?? single ?? plain}`;
  if (double !== undefined) return double.replace(ESCAPE, unescaped);
  return single === undefined ? `${plain}` : single.replace(/\\([\\'])/g, "$1");
}
