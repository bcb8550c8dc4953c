import type { AnswerLimits, Calibration } from "./calibration.js";
import type { CandidateRow } from "./candidate.js";
import { stemsOf } from "./query-terms.js";

/** A candidate of either search, with the similarity of its vector. */
export interface ComparedCandidate {
  readonly row: CandidateRow;
  readonly similarity: number | undefined;
}

/** Names in a query, and similarities apart from them. */
export interface NamedQuery {
  readonly names: readonly string[];
  readonly topics: ReadonlyMap<number, number>;
}

/** Candidates behind the first ones show how similar a memory is to a query that it does not answer. */
const FIRST = 5;
const BEHIND = 10;

/**
 * Returns the chunks that similarity alone makes hits. The best candidate decides whether there is an answer at all; then
 * a hit needs less than the best one, because an answer in other words is often the second or third.
 * @param candidates - candidates of both searches
 * @param query - names in the query
 * @param limits - limits of the model
 */
export function similarChunks(
  candidates: readonly ComparedCandidate[],
  { names, topics }: NamedQuery,
  { minimumSimilarity, minimumNamedSimilarity, answer, topic }: Calibration,
): ReadonlySet<number> {
  const compared = candidates.flatMap(({ row, similarity }) =>
    similarity === undefined ? [] : [{ row, similarity }],
  );
  if (names.length === 0 || topic === undefined) {
    const similarities = compared.map(({ similarity }) => similarity);
    if (answer !== undefined && !hasAnswer(similarities, answer)) return new Set();
    return chunksOf(compared.filter(({ similarity }) => similarity >= minimumSimilarity));
  }
  // A chunk about the same person is not similar by that alone, and one about another person is not the answer.
  const named = compared
    .filter(({ row }) => hasNames(row, names))
    .map((each) => ({ ...each, topic: topics.get(each.row.chunk) ?? each.similarity }));
  if (!named.some((each) => each.topic >= topic.answer)) return new Set();
  return chunksOf(
    named.filter((each) => each.topic >= topic.hit && each.similarity >= minimumNamedSimilarity),
  );
}

function hasAnswer(similarities: readonly number[], limits: AnswerLimits): boolean {
  const ordered = [...similarities].sort((a, b) => b - a);
  const [best = -1] = ordered;
  if (best >= limits.certain) return true;
  const behind = ordered.slice(FIRST, FIRST + BEHIND);
  const missing = (BEHIND - behind.length) * limits.background;
  const background = (behind.reduce((sum, each) => sum + each, 0) + missing) / BEHIND;
  return best + (best - background) >= limits.outstanding;
}

function hasNames({ path, text }: CandidateRow, names: readonly string[]): boolean {
  const stems = stemsOf(`${path} ${text}`);
  return names.every((name) => [...stemsOf(name)].every((stem) => stems.has(stem)));
}

function chunksOf(found: readonly { readonly row: CandidateRow }[]): ReadonlySet<number> {
  return new Set(found.map(({ row }) => row.chunk));
}
