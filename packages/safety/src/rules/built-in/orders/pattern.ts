import { shadowText } from "../../../text/shadow.js";
import type { OrderLanguage } from "./languages.js";

/** Letters of the alphabets in the table. */
const LETTER = "[A-Za-z0-9_\\u00c0-\\u024f\\u0370-\\u04ff]";
/** Largest number of characters of one sentence between two parts of an order. */
export const REACH = 80;
const WITHIN = `[^.!?。]{0,${REACH}}?`;
/** White space between two words. */
export const GAP = "[ \\t\\r\\n]{1,4}";

/** Spelling of a text: as written, or without the white space between words. */
export type Spelling = "spaced" | "squeezed";

/** Kind of an order to a model. */
export type OrderKind = "ignore" | "role" | "show";

/** Kinds of orders, in the order of their rules. */
export const ORDER_KINDS: readonly OrderKind[] = ["ignore", "role", "show"];

/**
 * Returns the source of the regular expression for the orders of one kind. It matches the shadow copy, because its own
 * letters are mapped like those of the text.
 * @param language - row of the table
 * @param spelling - `squeezed` for text without white space, in which words have no borders
 */
export function orderSource(
  language: OrderLanguage,
  kind: OrderKind,
  spelling: Spelling = "spaced",
): string {
  const hasBorders = spelling === "spaced" && language.joined !== true;
  const border = hasBorders ? `(?<!${LETTER})` : "";
  const end = hasBorders ? `(?!${LETTER})` : "";
  const negation = `(?:${language.not.join("|")})`;
  const before = spelling === "spaced" ? `(?<!${border}${negation}\\s{0,4})` : "";
  const after = hasBorders ? `${end}(?! ${negation}${end})` : "";
  /** Looks ahead first, because that is much faster than to look back at each position. */
  const verb = (verbs: readonly string[]) =>
    `(?=${verbs.join("|")})${border}${before}(?:${verbs.join("|")})${after}`;
  const then = (sources: readonly string[]) => `${WITHIN}${border}(?:${sources.join("|")})`;
  const source = {
    ignore: () => `${verb(language.ignore)}(?=${then(language.earlier)})${then(language.told)}`,
    role: () => `(?=${language.role.join("|")})${border}(?:${language.role.join("|")})${end}`,
    show: () => `${verb(language.show)}${then(language.own)}`,
  }[kind]();
  return shadowText(source).text.replaceAll(" ", spelling === "spaced" ? GAP : "");
}

/** Sources of literal words, without a last letter that is optional. */
const WORD = /^[^\\()[\]{}?*+|.,]+(?!\?)/;

/**
 * Returns literals of which every order in a language contains one, in the spelling of the shadow copy. They are plain
 * strings, also where a line ends within them, because an engine searches for many of these at once.
 * @param language - row of the table
 */
export function orderWords(language: OrderLanguage): string[] {
  return literalsOf([...language.role, ...(language.nouns ?? language.told)]);
}

/**
 * Returns the literals with which every order in a language begins, in the same spelling.
 * @param language - row of the table
 */
export function orderVerbs({ ignore, role, show }: OrderLanguage): string[] {
  return literalsOf([...ignore, ...role, ...show]);
}

function literalsOf(sources: readonly string[]): string[] {
  return sources.flatMap((source) => {
    const [word = source] = WORD.exec(source) ?? [];
    const literal = shadowText(word.trim()).text;
    return [literal, ...[...literal.matchAll(/ /g)].map(({ index }) => wrapped(literal, index))];
  });
}

function wrapped(literal: string, at: number): string {
  return `${literal.slice(0, at)}\n${literal.slice(at + 1)}`;
}
