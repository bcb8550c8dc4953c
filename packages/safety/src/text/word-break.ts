/** Maximum number of parts of a word that are joined. */
export const MOST_PARTS = 5;
/** Maximum length of a part of a word, in UTF-16 code units. */
const LONGEST_PART = 512;
/** Maximum number of blanks before and after a line break. */
const MOST_BLANKS = 48;
const CARRIAGE_RETURN = "\r";
/** Word without digits, signs and inner capitals, which is not the beginning of a key. */
const ORDINARY = /^[A-Za-z]?[a-z]*[.:=]*$/;

const partUnits = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=+/.:~-");
const blanks = tableOf(" \t");
const quotes = tableOf("\"'`");
/** Signs with which a shell, a program or an editor continues a line. */
const continuations = tableOf("\\&+.");
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
  return part === undefined || ORDINARY.test(text.slice(part.start, part.end)) ? undefined : part;
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
  const isOrdinary = ORDINARY.test(text.slice(start, end));
  return { start, end, nextBreak: isOrdinary ? undefined : breakBehind(text, end) };
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

function is(table: Uint8Array, text: string, at: number): boolean {
  return table[text.charCodeAt(at)] === 1;
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(0x1_00_00);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
