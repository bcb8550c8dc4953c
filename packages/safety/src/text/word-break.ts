/** Maximum number of parts of a word that are joined. */
export const MOST_PARTS = 5;
/** Maximum length of a part of a word, in UTF-16 code units. */
const LONGEST_PART = 512;
/** Maximum number of blanks before and after a line break. */
const MOST_BLANKS = 48;
const CARRIAGE_RETURN = "\r";

const partUnits = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=+/.:~-");
const blanks = tableOf(" \t");
const quotes = tableOf("\"'`");
/** Signs with which a shell, a program or an editor continues a line. */
const continuations = tableOf("\\&+.");
/** Kinds of characters at the end of a line, see {@link endsOrdinarily}. */
const [OTHER, EDGE, LOWER, UPPER, MARK] = [0, 1, 2, 3, 4] as const;
const kinds = new Uint8Array(0x1_00_00);
for (const [kind, characters] of [
  [EDGE, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=+/.:~- \t\"'`\\&"],
  [LOWER, "abcdefghijklmnopqrstuvwxyz"],
  [UPPER, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  [MARK, ".:="],
] as const) {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;
}
/** Signs before a line of a quotation, a list, a comment or a margin. */
const margins = tableOf(">|*#+&./");

/** Part of a word that a line break may have split. */
export interface WordPart {
  readonly start: number;
  readonly end: number;
  /** Offset of the line break behind it, when nothing but the marks of a break is in between. */
  readonly nextBreak?: number | undefined;
}

/**
 * Returns the part of a key before a line break, without quotation marks and signs of a continued
 * line.
 * @param at - offset of the line break
 */
export function partBefore(text: string, at: number): WordPart | undefined {
  const part = wordBefore(text, at);
  return part === undefined || isOrdinary(text, part.start, part.end) ? undefined : part;
}

/**
 * Returns the offset of the next line break before which a word may be split, or -1. A separate function without
 * callbacks, because nearly all lines are passed here.
 * @param from - offset at which the search begins
 */
export function nextSplit(text: string, from: number): number {
  let at = text.indexOf("\n", from);
  while (at !== -1 && endsOrdinarily(text, at)) at = text.indexOf("\n", at + 1);
  return at;
}

/**
 * Returns true when a line ends with an ordinary word, or with a sign that neither belongs to a word nor continues a
 * line. Nearly all lines of prose and code do, so that this decides the speed of the search.
 */
function endsOrdinarily(text: string, at: number): boolean {
  let last = text.charAt(at - 1) === CARRIAGE_RETURN ? at - 2 : at - 1;
  if (kindAt(text, last) === OTHER) return true;
  while (kindAt(text, last) === MARK) last -= 1;
  const letters = last;
  while (kindAt(text, last) === LOWER) last -= 1;
  if (kindAt(text, last) === UPPER) last -= 1;
  return last < letters && !is(partUnits, text, last);
}

/** Returns true for a word without digits, signs and inner capitals, which is not the beginning of a key. */
function isOrdinary(text: string, start: number, end: number): boolean {
  let at = start;
  if (kindAt(text, at) === UPPER) at += 1;
  while (kindAt(text, at) === LOWER) at += 1;
  while (kindAt(text, at) === MARK) at += 1;
  return at >= end;
}

/** Returns the last word before an offset, which can also be an ordinary one. */
export function wordBefore(text: string, at: number): WordPart | undefined {
  let end = at;
  if (text.charAt(end - 1) === CARRIAGE_RETURN) end -= 1;
  // Blanks are before the end of a line only where strings are joined.
  const sign = skipBack(text, end);
  const quote = skipBack(text, isSign(text, sign - 1) ? sign - 1 : sign);
  if (is(quotes, text, quote - 1)) end = quote - 1;
  else if (isSign(text, end - 1)) end -= 1;
  let start = end;
  while (start > 0 && end - start <= LONGEST_PART && is(partUnits, text, start - 1)) start -= 1;
  return start === end || end - start > LONGEST_PART ? undefined : { start, end };
}

/**
 * Returns the part of a word after a line break, without indentation, margin and quotation mark.
 * @param at - offset of the line break
 */
export function partAfter(text: string, at: number): WordPart | undefined {
  const start = afterBreak(text, at);
  let end = start;
  while (end - start <= LONGEST_PART && is(partUnits, text, end)) end += 1;
  if (start === end || end - start > LONGEST_PART) return undefined;
  return {
    start,
    end,
    nextBreak: isOrdinary(text, start, end) ? undefined : breakBehind(text, end),
  };
}

/**
 * Returns the offset at which the next word begins.
 * @param at - offset of the line break
 */
export function afterBreak(text: string, at: number): number {
  let start = skip(text, at + 1);
  const margin = text.startsWith("//", start) ? 2 : is(margins, text, start) ? 1 : 0;
  if (margin > 0 && is(blanks, text, start + margin)) start = skip(text, start + margin);
  return is(quotes, text, start) ? start + 1 : start;
}

/** Returns the offset of a line break that follows a part. */
function breakBehind(text: string, end: number): number | undefined {
  const isQuoted = is(quotes, text, end);
  let at = isQuoted ? skip(text, end + 1) : end;
  if (is(continuations, text, at)) at = isQuoted ? skip(text, at + 1) : at + 1;
  if (text.charAt(at) === CARRIAGE_RETURN) at += 1;
  return text.charAt(at) === "\n" ? at : undefined;
}

/** Plus and dot are signs after a quotation mark or a blank, and part of a word otherwise. */
function isSign(text: string, at: number): boolean {
  if (!is(continuations, text, at)) return false;
  return !is(partUnits, text, at) || is(quotes, text, at - 1) || is(blanks, text, at - 1);
}

function skip(text: string, from: number): number {
  let at = from;
  while (at - from < MOST_BLANKS && is(blanks, text, at)) at += 1;
  return at;
}

function skipBack(text: string, from: number): number {
  let at = from;
  while (from - at < MOST_BLANKS && is(blanks, text, at - 1)) at -= 1;
  return at;
}

function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] ?? OTHER;
}

function is(table: Uint8Array, text: string, at: number): boolean {
  return table[text.charCodeAt(at)] === 1;
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(0x1_00_00);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
