import type { WeightedTerm } from "./query-terms.js";

/** Number of matches from which chunks that cannot be hits are left out. */
const MANY = 4000;
/** Number of terms up to which two of them are required. */
const FEW_TERMS = 6;

/**
 * Returns a boolean expression for the chunks that may have a share of the weight of all terms. Where the terms have few
 * matches these are the chunks with any of them; otherwise common terms do not match alone, because a search of 100,000
 * chunks would rank a tenth of them.
 * @param terms - terms with at least one match
 * @param share - share of the weight that a hit needs, from 0 to 1
 * @param quoted - returns a word as an operand
 */
export function matchExpression(
  terms: readonly WeightedTerm[],
  share: number,
  quoted: (word: string) => string,
): string {
  const any = (found: readonly WeightedTerm[]) =>
    found.map(({ term }) => quoted(term)).join(" OR ");
  if (terms.reduce((sum, { count }) => sum + count, 0) < MANY) return any(terms);
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const common: WeightedTerm[] = [];
  const rare: WeightedTerm[] = [];
  let left = total * share;
  for (const term of [...terms].sort((a, b) => a.weight - b.weight)) {
    left -= term.weight;
    if (left > 0) common.push(term);
    else rare.push(term);
  }
  if (terms.length > FEW_TERMS || rare.length === 0) return any(rare.length === 0 ? terms : rare);
  // Each word is counted once for each place in the expression, so the most common ones have one place.
  const isEnough = ({ weight }: WeightedTerm) => weight >= total * share;
  const alone = rare.filter(isEnough).map(({ term }) => quoted(term));
  const together = [...common, ...rare.filter((term) => !isEnough(term))];
  const pairs = together.flatMap((term, place) => {
    const others = together.slice(Math.max(place + 1, common.length));
    return others.length === 0 ? [] : [`(${quoted(term.term)} AND (${any(others)}))`];
  });
  return [...alone, ...pairs].join(" OR ");
}
