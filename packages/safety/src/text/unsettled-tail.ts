import { invisibleUnits } from "./invisible.js";
import { lookAlikes } from "./look-alike.js";
import { TextViews } from "./views.js";

const WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/=:%&;#\\";
/** Words such as `bearer`, which announce a token and are evaluated together with it. */
const LEAD =
  /(?:bearer\s{1,8}|authorization(?:["']?\s{0,8}(?:[:=]\s{0,8}["']?(?:[a-z][a-z0-9_-]{0,31}\s{1,8})?)?)?)$/i;
/**
 * Name of a secret with its assignment operator, or a URL up to a character that words do not
 * contain.
 */
const ASSIGNED =
  /(?:(?:key|token|secret|credential)s?["'`]?[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}["'`]?|:\/\/[^\s"'`<>/]{0,200})$/i;
/** Name of a secret alone, after which the next word may be the assignment operator. */
const NAMED = /(?:key|token|secret|credential)s?(?:["'`][ \t]{0,4}|[ \t]{1,4})$/i;
const SIGN = /^(?:[:=]|$)/;
const LEAD_REACH = 256;
/**
 * Maximum number of announcing words: a name can announce a value, and another name can announce
 * that name.
 */
const MOST_LEADS = 3;
const HEADER = /-----BEGIN /;
/** Number of characters after a key's header that distinguish a key from a mention. */
const HEADER_REACH = 256;
const FIRST_SURROGATE = 0xd8_00;
const LAST_SURROGATE = 0xdf_ff;

const wordUnits = new Uint8Array(0x1_00_00);
for (const character of WORD) wordUnits[character.charCodeAt(0)] = 1;
for (const unit of invisibleUnits()) wordUnits[unit] = 1;
for (const [unit] of lookAlikes()) wordUnits[unit] = 1;
wordUnits.fill(1, FIRST_SURROGATE, LAST_SURROGATE + 1);

/** Returns whether a unit can be part of a secret, disguised or not. */
export function isWordUnit(unit: number): boolean {
  return wordUnits[unit] === 1;
}

/**
 * Returns the offset from which the end of a text could still become a secret if the text
 * continued: its last word, the words that announce a token or assign it, and a key's header until
 * it is certain to be a key.
 * @param text - part of a stream that is known so far
 */
export function unsettledFrom(text: string): number {
  const word = wordStart(text, text.length);
  const isSignNext = SIGN.test(text.slice(word));
  const named = isSignNext ? leadBefore(NAMED, text, word) : undefined;
  let start = named ?? word;
  for (let count = 0; count < MOST_LEADS; count += 1) {
    const lead = leadBefore(LEAD, text, start) ?? leadBefore(ASSIGNED, text, start);
    if (lead === undefined) break;
    start = lead;
  }
  const header = startOf(HEADER, text, Math.max(0, text.length - HEADER_REACH), text.length);
  return header === undefined ? start : wordStart(text, Math.min(start, header));
}

function leadBefore(pattern: RegExp, text: string, end: number): number | undefined {
  const lead = startOf(pattern, text, Math.max(0, end - LEAD_REACH), end);
  return lead === undefined || lead === end ? undefined : wordStart(text, lead);
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isWordUnit(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/**
 * Returns the position where a pattern matches in a part of a text, without disguises and
 * encodings.
 */
function startOf(pattern: RegExp, text: string, from: number, to: number): number | undefined {
  const { decoded } = new TextViews(text.slice(from, to));
  const match = pattern.exec(decoded.text);
  if (match === null) return undefined;
  const [start] = decoded.offsets.toSource([match.index, match.index + match[0].length]);
  return from + start;
}
