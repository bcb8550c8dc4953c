import type { Range } from "../text/range.js";
import { WHITE_SPACE_UNITS } from "../text/white-space.js";
import type { RunKind } from "./detector.js";

const HEX = "0123456789abcdefABCDEF";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const TABLES: Readonly<Record<RunKind, Uint8Array>> = {
  hex: tableOf(unitsOf(HEX)),
  base64: tableOf(unitsOf(BASE64)),
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
 * Calls back for every unbroken run of a kind of character, from left to right. Only every
 * `least`-th unit is looked at until one belongs to the kind, since no run can hide in between.
 * @param text - any text
 * @param kind - the characters of the run
 * @param least - least length of a run, in UTF-16 code units
 * @param visit - gets the range of a run
 */
export function forEachRun(
  text: string,
  kind: RunKind,
  least: number,
  visit: (run: Range) => void,
): void {
  const table = TABLES[kind];
  const { length } = text;
  let floor = 0;
  for (let probe = least - 1; probe < length; probe += least) {
    if (table[text.charCodeAt(probe)] === 0) continue;
    let start = probe;
    while (start > floor && table[text.charCodeAt(start - 1)] === 1) start -= 1;
    let end = probe + 1;
    while (end < length && table[text.charCodeAt(end)] === 1) end += 1;
    if (end - start >= least) visit([start, end]);
    floor = end;
    probe = end;
  }
}
