import type { Range } from "../text/range.js";
import { WHITE_SPACE_UNITS } from "../text/white-space.js";
import type { RunKind } from "./detector.js";

const HEX = "0123456789abcdefABCDEF";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const TOKEN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/** Hexadecimal digits, what separates pairs of them, and their prefixes. */
const PAIRS = `${HEX} :,;._|/-\\xX"'\t\r\n`;

const TABLES: Readonly<Record<RunKind, Uint8Array>> = {
  hex: tableOf(unitsOf(HEX)),
  base64: tableOf(unitsOf(BASE64)),
  token: tableOf(unitsOf(TOKEN)),
  pairs: tableOf(unitsOf(PAIRS)),
  visible: tableOf(WHITE_SPACE_UNITS).map((isSpace) => 1 - isSpace),
};

function unitsOf(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}

function tableOf(units: readonly number[]): Uint8Array {
  const table = new Uint8Array(0x1_00_00);
  for (const unit of units) table[unit] = 1;
  return table;
}

/**
 * Calls back for every unbroken run of a kind of character, from left to right. Checks only every
 * `least`-th unit until one belongs to the kind, because no run fits in between.
 * @param text - any text
 * @param kind - kind of the characters
 * @param least - minimum length of a run, in UTF-16 code units
 * @param visit - receives the range of a run
 */
export function forEachRun(
  text: string,
  kind: RunKind,
  least: number,
  visit: (run: Range) => void,
): void {
  const table = TABLES[kind];
  const { length } = text;
  let from = 0;
  while (from + least <= length) {
    let other = from + least - 1;
    while (other >= from && table[text.charCodeAt(other)] === 1) other -= 1;
    if (other >= from) {
      from = other + 1;
      continue;
    }
    let end = from + least;
    while (end < length && table[text.charCodeAt(end)] === 1) end += 1;
    visit([from, end]);
    from = end + 1;
  }
}
