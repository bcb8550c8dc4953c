import type { Units } from "./units.js";

/** Maximum number of parts of a word that are joined. */
export const MOST_PARTS = 5;
/** Maximum length of a part of a word, in UTF-16 code units. */
const LONGEST_PART = 512;
/** Maximum number of blanks before and after a line break. */
const MOST_BLANKS = 48;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const SLASH = 0x2f;

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
export function partBefore(units: Units, at: number): WordPart | undefined {
  const part = wordBefore(units, at);
  return part === undefined || isOrdinary(units, part.start, part.end) ? undefined : part;
}

/**
 * Returns the offset of the next line break before which a word may be split, or -1. A separate function without
 * callbacks, because nearly all lines are passed here.
 * @param from - offset at which the search begins
 */
export function nextSplit(text: string, units: Units, from: number): number {
  let at = text.indexOf("\n", from);
  while (at !== -1 && endsOrdinarily(units, at)) at = text.indexOf("\n", at + 1);
  return at;
}

/**
 * Returns true when a line ends with an ordinary word, or with a sign that neither belongs to a word nor continues a
 * line. Nearly all lines of prose and code do, so that this decides the speed of the search.
 */
function endsOrdinarily(units: Units, at: number): boolean {
  let last = units[at - 1] === CARRIAGE_RETURN ? at - 2 : at - 1;
  if (kindAt(units, last) === OTHER) return true;
  while (kindAt(units, last) === MARK) last -= 1;
  const letters = last;
  while (kindAt(units, last) === LOWER) last -= 1;
  if (kindAt(units, last) === UPPER) last -= 1;
  return last < letters && !is(partUnits, units, last);
}

/** Returns true for a word without digits, signs and inner capitals, which is not the beginning of a key. */
function isOrdinary(units: Units, start: number, end: number): boolean {
  let at = start;
  if (kindAt(units, at) === UPPER) at += 1;
  while (kindAt(units, at) === LOWER) at += 1;
  while (kindAt(units, at) === MARK) at += 1;
  return at >= end;
}

/** Returns the last word before an offset, which can also be an ordinary one. */
export function wordBefore(units: Units, at: number): WordPart | undefined {
  let end = at;
  if (units[end - 1] === CARRIAGE_RETURN) end -= 1;
  // Blanks are before the end of a line only where strings are joined.
  const sign = skipBack(units, end);
  const quote = skipBack(units, isSign(units, sign - 1) ? sign - 1 : sign);
  if (is(quotes, units, quote - 1)) end = quote - 1;
  else if (isSign(units, end - 1)) end -= 1;
  let start = end;
  while (start > 0 && end - start <= LONGEST_PART && is(partUnits, units, start - 1)) start -= 1;
  return start === end || end - start > LONGEST_PART ? undefined : { start, end };
}

/**
 * Returns the part of a word after a line break, without indentation, margin and quotation mark.
 * @param at - offset of the line break
 */
export function partAfter(units: Units, at: number): WordPart | undefined {
  const start = afterBreak(units, at);
  let end = start;
  while (end - start <= LONGEST_PART && is(partUnits, units, end)) end += 1;
  if (start === end || end - start > LONGEST_PART) return undefined;
  return {
    start,
    end,
    nextBreak: isOrdinary(units, start, end) ? undefined : breakBehind(units, end),
  };
}

/**
 * Returns the offset at which the next word begins.
 * @param at - offset of the line break
 */
export function afterBreak(units: Units, at: number): number {
  let start = skip(units, at + 1);
  const margin =
    units[start] === SLASH && units[start + 1] === SLASH ? 2 : is(margins, units, start) ? 1 : 0;
  if (margin > 0 && is(blanks, units, start + margin)) start = skip(units, start + margin);
  return is(quotes, units, start) ? start + 1 : start;
}

/** Returns the offset of a line break that follows a part. */
function breakBehind(units: Units, end: number): number | undefined {
  const isQuoted = is(quotes, units, end);
  let at = isQuoted ? skip(units, end + 1) : end;
  if (is(continuations, units, at)) at = isQuoted ? skip(units, at + 1) : at + 1;
  if (units[at] === CARRIAGE_RETURN) at += 1;
  return units[at] === LINE_FEED ? at : undefined;
}

/** Plus and dot are signs after a quotation mark or a blank, and part of a word otherwise. */
function isSign(units: Units, at: number): boolean {
  if (!is(continuations, units, at)) return false;
  return !is(partUnits, units, at) || is(quotes, units, at - 1) || is(blanks, units, at - 1);
}

function skip(units: Units, from: number): number {
  let at = from;
  while (at - from < MOST_BLANKS && is(blanks, units, at)) at += 1;
  return at;
}

function skipBack(units: Units, from: number): number {
  let at = from;
  while (from - at < MOST_BLANKS && is(blanks, units, at - 1)) at -= 1;
  return at;
}

function kindAt(units: Units, at: number): number {
  return kinds[units[at] ?? 0] ?? OTHER;
}

function is(table: Uint8Array, units: Units, at: number): boolean {
  return table[units[at] ?? 0] === 1;
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(0x1_00_00);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
