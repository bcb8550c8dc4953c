import type { Range } from "../text/range.js";
import type { SearchedText } from "./anchor-search.js";
import { forEachRun } from "./long-run.js";

/**
 * Receives a text and the map of its ranges to the text in which it was found; a range without a
 * source is not a finding.
 */
export type VisitContent = (content: string, sourceOf: (range: Range) => Range | undefined) => void;

/** Minimum length of the pairs of the shortest key, in groups of two as `xxd` prints them. */
const LEAST_PAIRS = 48;
const LEAST_BYTES = 16;
const SEPARATOR = String.raw`(?:[ :,;._|/-]|\\|\s){0,4}["']?(?:[0\\][xX])?`;
const PAIR = "(?:[2-7][0-9A-Fa-f]|0[AaDd9])";
/** Digits of printable ASCII characters with separators between some of them. */
const PAIRS = new RegExp(
  `(?<![0-9A-Fa-f])(?:[0\\\\][xX])?${PAIR}(?:["']?${SEPARATOR}${PAIR}){${LEAST_BYTES - 1},}`,
  "g",
);
const ONE_PAIR = /(?:[0\\][xX])?([0-9A-Fa-f]{2})/g;
/** Line of `xxd`, `hexdump -C` or `od -tx1`: offset, digits, and the characters in a column. */
const DUMP_LINE =
  /^[0-9A-Fa-f]{6,8}:?[ \t]{1,4}((?:[0-9A-Fa-f]{2}){1,2}(?: {1,2}(?:[0-9A-Fa-f]{2}){1,2}){0,15})(?=[ \t]{2}|[ \t]{0,2}\r?$)[^\n]{0,32}$/gm;
/** Beginning of a dump, whose first offset is zero. */
const DUMP_START = "000000";

/**
 * Calls back for the characters of hexadecimal digits with separators, such as `61 62`, `61:62`,
 * `0x61, 0x62`, and of dumps with offsets.
 * @param visit - receives the characters
 */
export function visitDigitPairs({ text, units }: SearchedText, visit: VisitContent): void {
  forEachRun(units, "pairs", LEAST_PAIRS, ([start, end]) => {
    const run = text.slice(start, end);
    for (const { index, 0: found } of run.matchAll(PAIRS)) {
      const from = start + index;
      const pairs = [...found.matchAll(ONE_PAIR)];
      visit(decode(pairs.map(([, digits]) => digits).join("")), ([first, last]) => [
        from + (pairs[first]?.index ?? 0),
        from + endOf(pairs[last - 1], found),
      ]);
    }
  });
  if (hasDump(text)) visitDump(text, visit);
}

/** Returns whether a text may have a dump with offsets. Zeros are rarer than line breaks, so they are looked for. */
function hasDump(text: string): boolean {
  for (let at = text.indexOf(DUMP_START); at !== -1; at = text.indexOf(DUMP_START, at + 1)) {
    if (at === 0 || text.charAt(at - 1) === "\n") return true;
  }
  return false;
}

/** Replaces complete lines, because their column of characters shows the secret as well. */
function visitDump(text: string, visit: VisitContent): void {
  let content = "";
  const lines: { readonly range: Range; readonly end: number }[] = [];
  for (const { index, 0: line, 1: digits = "" } of text.matchAll(DUMP_LINE)) {
    content += decode(digits.replaceAll(" ", ""));
    lines.push({ range: [index, index + line.trimEnd().length], end: content.length });
  }
  visit(content, ([start, end]) => {
    const first = lines.find((line) => line.end > start)?.range[0] ?? 0;
    const last = lines.find((line) => line.end >= end)?.range[1] ?? text.length;
    return [first, last];
  });
}

function endOf(pair: RegExpExecArray | undefined, found: string): number {
  return pair === undefined ? found.length : pair.index + pair[0].length;
}

function decode(digits: string): string {
  return Buffer.from(digits, "hex").toString("latin1");
}
