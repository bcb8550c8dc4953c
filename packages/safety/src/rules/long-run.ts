import type { Range } from "../text/range.js";
import type { Units } from "../text/units.js";
import { WHITE_SPACE_UNITS } from "../text/white-space.js";
import type { RunKind } from "./detector.js";

const NONE = -1;
const HEX = "0123456789abcdefABCDEF";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const TOKEN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/** Hexadecimal digits, what separates pairs of them, and their prefixes. */
const PAIRS = `${HEX} :,;._|/-\\xX"'\t\r\n`;

/** Bytes of text in UTF-8, and of ASCII in UTF-16. */
const TEXT_BYTES = [0x00, 0x09, 0x0a, 0x0d, ...unitsFrom(0x20, 0x7e), ...unitsFrom(0x80, 0xf4)];

const TABLES: Readonly<Record<RunKind, Uint8Array>> = {
  hex: tableOf(unitsOf(HEX)),
  base64: tableOf(unitsOf(BASE64)),
  token: tableOf(unitsOf(TOKEN)),
  pairs: tableOf(unitsOf(PAIRS)),
  textBytes: tableOf(TEXT_BYTES),
  visible: tableOf(WHITE_SPACE_UNITS).map((isSpace) => 1 - isSpace),
};

function unitsOf(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}

function unitsFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, step) => first + step);
}

function tableOf(units: readonly number[]): Uint8Array {
  const table = new Uint8Array(0x1_00_00);
  for (const unit of units) table[unit] = 1;
  return table;
}

/**
 * Calls back for every unbroken run of a kind of character, from left to right. Checks only every
 * `least`-th unit until one belongs to the kind, because no run fits in between.
 * @param units - units of the text
 * @param kind - kind of the characters
 * @param least - minimum length of a run, in UTF-16 code units
 * @param visit - receives the range of a run
 */
export function forEachRun(
  units: Units,
  kind: RunKind,
  least: number,
  visit: (run: Range) => void,
): void {
  const table = TABLES[kind];
  for (let start = nextRun(units, table, least, 0); start !== NONE; ) {
    const end = runEnd(units, table, start + least);
    visit([start, end]);
    start = nextRun(units, table, least, end + 1);
  }
}

/**
 * Returns the offset of the first run from an offset on, or -1. A separate function without callbacks, because the
 * compiler keeps it fast whatever is called for the runs.
 */
function nextRun(units: Units, table: Uint8Array, least: number, offset: number): number {
  let from = offset;
  while (from + least <= units.length) {
    let other = from + least - 1;
    while (other >= from && table[units[other] ?? 0] === 1) other -= 1;
    if (other < from) return from;
    from = other + 1;
  }
  return NONE;
}

function runEnd(units: Units, table: Uint8Array, from: number): number {
  let end = from;
  while (end < units.length && table[units[end] ?? 0] === 1) end += 1;
  return end;
}
