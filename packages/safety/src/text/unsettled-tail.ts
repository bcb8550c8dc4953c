import { invisibleUnits } from "./invisible.js";
import { lookAlikes } from "./look-alike.js";
import { TextViews } from "./views.js";

const WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/=:%&;#\\";
/** Words that belong to the one behind them. */
const LEAD =
  /(?:bearer\s{1,8}|authorization(?:["']?\s{0,8}(?:[:=]\s{0,8}["']?(?:[a-z][a-z0-9_-]{0,31}\s{1,8})?)?)?)$/i;
const LEAD_REACH = 256;
const HEADER = /-----BEGIN /;
/** From a key's header on, so much has to be there to tell a key from a mention. */
const HEADER_REACH = 256;
const FIRST_SURROGATE = 0xd8_00;
const LAST_SURROGATE = 0xdf_ff;

const wordUnits = new Uint8Array(0x1_00_00);
for (const character of WORD) wordUnits[character.charCodeAt(0)] = 1;
for (const unit of invisibleUnits()) wordUnits[unit] = 1;
for (const [unit] of lookAlikes()) wordUnits[unit] = 1;
wordUnits.fill(1, FIRST_SURROGATE, LAST_SURROGATE + 1);

/** Whether a unit can stand within a secret, disguised or not. */
export function isWordUnit(unit: number): boolean {
  return wordUnits[unit] === 1;
}

/**
 * Where the end of a text begins that could still become a secret if the text went on: its last word,
 * with the words that announce a token, and a key's header until it is sure to be one.
 * @param text - what is known of a stream
 */
export function unsettledFrom(text: string): number {
  const word = wordStart(text, text.length);
  const lead = startOf(LEAD, text, Math.max(0, word - LEAD_REACH), word);
  const header = startOf(HEADER, text, Math.max(0, text.length - HEADER_REACH), text.length);
  return wordStart(text, Math.min(word, lead ?? word, header ?? word));
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isWordUnit(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** Where a pattern matches in a part of a text, seen without disguise and encoding. */
function startOf(pattern: RegExp, text: string, from: number, to: number): number | undefined {
  const { decoded } = new TextViews(text.slice(from, to));
  const match = pattern.exec(decoded.text);
  if (match === null) return undefined;
  const [start] = decoded.offsets.toSource([match.index, match.index + match[0].length]);
  return from + start;
}
