import type { Range } from "../../../text/range.js";
import { ORDER_LANGUAGES } from "./languages.js";
import {
  GAP,
  ORDER_KINDS,
  orderSource,
  orderVerbs,
  orderWords,
  REACH,
  type Spelling,
} from "./pattern.js";

/** English phrases that are separate rules (SAFE-026). */
const PHRASES = [
  "ignore (?:all )?previous",
  "forget everything",
  "you are now",
  "(?:new|updated) instructions",
];
const PHRASE = phrases(GAP, (source) => `(?<![A-Za-z])(?:${source})(?![A-Za-z])`);
/** Characters around a word of an order that can belong to the order. */
const AROUND = 2 * REACH;

/** Searches for a word that each order contains and for its verb, which are much faster than the search for orders. */
let word: RegExp | undefined;
let verb: RegExp | undefined;
let order: RegExp | undefined;
let squeezed: RegExp | undefined;

/**
 * Returns the ranges of orders to a model, in every language of the table.
 * @param text - shadow copy
 */
export function ordersOf(text: string): Range[] {
  word ??= new RegExp([...new Set(ORDER_LANGUAGES.flatMap(orderWords))].join("|"), "gi");
  verb ??= new RegExp([...new Set(ORDER_LANGUAGES.flatMap(orderVerbs))].join("|"), "i");
  order ??= new RegExp(orders("spaced").join("|"), "gi");
  const found: Range[] = [];
  let end = 0;
  for (const { index } of text.matchAll(word)) {
    if (index < end) continue;
    const from = Math.max(end, index - AROUND);
    end = index + AROUND;
    const part = text.slice(from, end);
    if (!verb.test(part)) continue;
    for (const { index: at, 0: match } of part.matchAll(order)) {
      found.push([from + at, from + at + match.length]);
    }
  }
  return found;
}

/**
 * Returns the ranges of all orders to a model in a text that was disguised.
 * @param text - shadow copy without the disguise
 */
export function ordersIn(text: string): Range[] {
  const phrases = [...text.matchAll(PHRASE)].map(
    ({ index, 0: phrase }): Range => [index, index + phrase.length],
  );
  return [...phrases, ...ordersOf(text)];
}

/**
 * Returns true when a text without white space contains an order.
 * @param text - shadow copy without white space
 */
export function isSqueezedOrder(text: string): boolean {
  squeezed ??= new RegExp(
    [phrases("", (source) => source).source, ...orders("squeezed")].join("|"),
    "i",
  );
  return squeezed.test(text);
}

function orders(spelling: Spelling): string[] {
  return ORDER_LANGUAGES.flatMap((language) =>
    ORDER_KINDS.map((kind) => orderSource(language, kind, spelling)),
  );
}

function phrases(gap: string, bordered: (source: string) => string): RegExp {
  return new RegExp(bordered(PHRASES.join("|").replaceAll(" ", gap)), "gi");
}
