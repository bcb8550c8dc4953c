import { startOfText } from "@openclaw/plugin-sdk/kit";
import { daysIn, spokenDay } from "../documents/day.js";
import { type Term, termsOfText } from "../text/terms.js";

/** Maximum number of terms of a query; a longer text has enough of them at its beginning. */
const MAXIMUM_TERMS = 32;
/** Characters of a query that are considered. */
const MAXIMUM_LENGTH = 20_000;

/** A term of a query with its weight: rare terms say more about what is meant. */
export interface WeightedTerm extends Term {
  /** Number of chunks with the term, of all owners. */
  readonly count: number;
  readonly weight: number;
}

/**
 * Returns the terms of a query; none for a query of stop words or punctuation (MEM-016).
 * @param query - text of a user or a model
 */
export function termsOf(query: string): Term[] {
  const found = new Map<string, Term>();
  for (const each of termsOfText(startOfText(query, MAXIMUM_LENGTH), "query")) {
    if (!found.has(each.term)) found.set(each.term, each);
    if (found.size === MAXIMUM_TERMS) break;
  }
  return [...found.values()];
}

/**
 * Returns the dates of a query in both forms in which the full-text table has them, as terms that follow one another.
 * @param query - text of a user or a model
 */
export function datePhrases(query: string): (readonly string[])[] {
  return daysIn(startOfText(query, MAXIMUM_LENGTH))
    .flatMap((day) => [day, spokenDay(day)])
    .map((text) => termsOfText(text, "index").map(({ term }) => term));
}
