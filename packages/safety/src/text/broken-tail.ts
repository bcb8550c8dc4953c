import { type Units, unitsOf } from "./units.js";
import { afterBreak, MOST_PARTS, partBefore, wordBefore } from "./word-break.js";

/** Maximum distance from a line break to the word behind it. */
const REACH = 96;
/** Text that can precede a word that has not arrived yet. */
const OPEN_MARGIN = /^[ \t]{0,48}(?:(?:[>|*#+&.]|\/\/?)[ \t]{0,48})?["'`]?$/;

/**
 * Returns the offset at which a word begins that may continue over line breaks behind the end of a
 * text; the end of the text when none can.
 */
export function brokenWordStart(text: string): number {
  const units = unitsOf(text);
  let from = lastPart(units);
  for (let parts = 1; parts < MOST_PARTS; parts += 1) {
    const at = text.lastIndexOf("\n", from - 1);
    if (at === -1 || from - at > REACH) break;
    const isOpen = OPEN_MARGIN.test(text.slice(at + 1, from));
    const left = isOpen || afterBreak(units, at) === from ? partBefore(units, at) : undefined;
    if (left === undefined) break;
    from = left.start;
  }
  return from;
}

/** Returns the beginning of the last word, which is ordinary only behind a line break. */
function lastPart(units: Units): number {
  const word = wordBefore(units, units.length);
  if (word === undefined) return units.length;
  return word.end === units.length
    ? word.start
    : (partBefore(units, units.length)?.start ?? units.length);
}
