import type { Range } from "../text/range.js";
import { MOST_PARTS, nextSplit, partAfter, partBefore, type WordPart } from "../text/word-break.js";
import type { SearchedText } from "./anchor-search.js";
import type { VisitContent } from "./digit-pairs.js";
import type { LiteralSearch } from "./literal-search.js";

/** Minimum length of a key. */
const LEAST_WORD = 16;
const MARGIN = /^[ \t>|*#+&./]*["'`]?|["'`][ \t+.&\\]*\r?$/g;
/** Rest of a key: letters and digits. */
const REST = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/_-]{6,}={0,2}$/;

/**
 * Calls back for each word that line breaks may have split, joined from at most five lines. Only a
 * range across a break has a source.
 * @param beginning - beginnings of secrets; other words are left out
 * @param visit - receives the joined word
 */
export function visitBrokenWords(
  { text, units }: SearchedText,
  beginning: LiteralSearch,
  visit: VisitContent,
): void {
  for (let at = nextSplit(text, units, 0); at !== -1; at = nextSplit(text, units, at + 1)) {
    const left = partBefore(units, at);
    const right = left === undefined ? undefined : partAfter(units, at);
    if (left === undefined || right === undefined) continue;
    const parts = [left, right];
    let last = right;
    while (parts.length < MOST_PARTS && last.nextBreak !== undefined) {
      const next = partAfter(units, last.nextBreak);
      if (next === undefined) break;
      parts.push(next);
      last = next;
    }
    const words = parts.map(({ start, end }) => text.slice(start, end));
    const content = words.join("");
    if (content.length < LEAST_WORD || !beginning.isIn(content)) continue;
    visit(content, (range) => sourceOf(parts, range));
  }
}

/**
 * Returns whether a secret that is complete at the end of a line seems to continue on the next one.
 * @param rest - text between the end of the line and the end of the longer secret
 */
export function isRestOfKey(rest: string): boolean {
  return rest
    .split("\n")
    .slice(1)
    .every((line) => REST.test(line.replace(MARGIN, "").trim()));
}

/** Returns the source of a range that begins in the first part and ends in another one. */
function sourceOf(parts: readonly WordPart[], [start, end]: Range): Range | undefined {
  const [first] = parts;
  if (first === undefined || start >= first.end - first.start) return undefined;
  let offset = 0;
  for (const part of parts) {
    const length = part.end - part.start;
    if (end <= offset + length) {
      return part === first ? undefined : [first.start + start, part.start + end - offset];
    }
    offset += length;
  }
  return undefined;
}
