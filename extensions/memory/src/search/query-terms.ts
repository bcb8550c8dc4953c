import { stemmer } from "stemmer";
import { daysIn, spokenDay } from "../documents/day.js";

/** Maximum number of terms of a query; a longer text has enough of them at its beginning. */
const MAXIMUM_TERMS = 32;

/** Words of queries that say nothing about the answer. */
const STOP_WORDS = new Set(
  (
    "a about an and any are as at be been but by can could did do does for from had has have he her hers him his how i " +
    "if in into is it its just may me might must my no nor not of off on once only or our ours out s she should so " +
    "some such t tell than that the their theirs them then there these they this those to too up us very was we were " +
    "what when where which while who whom whose why will with would you your yours"
  ).split(" "),
);

const WORD = /[\p{L}\p{N}]+/gu;
const WORD_WITH_APOSTROPHE = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu;
const CAPITALISED = /^\p{Lu}\p{L}/u;

/** A usable word of a query. */
export interface QueryTerm {
  readonly word: string;
  readonly stem: string;
}

/**
 * Returns the usable words of a query; none for a query of stop words or punctuation (MEM-016).
 * @param query - text of a user or a model
 */
export function termsOf(query: string): QueryTerm[] {
  const found = new Map<string, QueryTerm>();
  for (const word of wordsOf(query.slice(0, 20_000))) {
    if (STOP_WORDS.has(word)) continue;
    const stem = stemmer(word);
    if (!found.has(stem)) found.set(stem, { word, stem });
    if (found.size === MAXIMUM_TERMS) break;
  }
  return [...found.values()];
}

/**
 * Returns the names of a query: capitalised words after its first word. A query that is capitalised as a whole has none.
 * @param query - text of a user or a model
 */
export function namesOf(query: string): string[] {
  const words = [...query.slice(0, 20_000).matchAll(WORD_WITH_APOSTROPHE)].map(([word]) => word);
  const names = words.slice(1).filter((word) => CAPITALISED.test(word) && !isStopWord(word));
  const isTitle = words.every((word) => CAPITALISED.test(word) || isStopWord(word));
  return isTitle && words.length > 3 ? [] : names.map((name) => name.replace(/['\u2019]s$/u, ""));
}

/**
 * Returns the dates of a query in both forms in which the full-text table has them.
 * @param query - text of a user or a model
 */
export function datePhrases(query: string): string[] {
  return daysIn(query).flatMap((day) => [day, spokenDay(day)]);
}

/**
 * Returns the stems of the words of a text.
 * @param text - text of a chunk
 */
export function stemsOf(text: string): Set<string> {
  return new Set(wordsOf(text).map(stemmer));
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

function wordsOf(text: string): string[] {
  return [...text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().matchAll(WORD)].map(
    ([word]) => word,
  );
}
