import { knownWord, type ShellWord } from "./word.js";

const TOKEN =
  /(?<gap>\s+)|"(?<double>(?:\\.|[^"\\])*)"|'(?<single>(?:\\.|[^'\\])*)'|\\(?<escaped>.)|(?<plain>[^\s"'\\]+|.)/gs;
const ESCAPE = /\\(.)/gs;

/** Program that splits: `env -S` and `xargs` interpret a backslash differently. */
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
 * Splits a text into words: quotes group, a backslash escapes the next character, and variables are
 * computed at run time.
 * @param text - undefined when the text itself is computed
 * @param splitter - program that splits the text
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

/** Returns the content of one part of a word. */
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
