import type { SearchHit } from "../search/ranking.js";

/** Hits that are offered to a turn at most: an answer is among the first of them, or is not there. */
const OFFERED = 3;

/** Match of the words that is evidence alone. */
const ENOUGH_WORDS = 0.5;

/** Limits of a model. */
interface Limits {
  /** Mean of similarity and match below which the best hits say nothing about the message. */
  readonly evidence: number;
  /** Similarity below which the model does not know the language of the text, so that only its words are compared. */
  readonly unknown: number;
  /** Match of the words of such a text. */
  readonly match: number;
}

/** Found with the queries for tuning in `bench/questions`. */
const WORD_VECTORS: Limits = { evidence: 0.36, unknown: 0.05, match: 0.3 };
/** Models that were not measured: their similarities are compared with the usual similarities of such models. */
const OTHER: Limits = { evidence: 0.25, unknown: 0.05, match: 0.3 };

/**
 * Returns the hits of an automatic search that are offered to a turn: the best few, unless they are clearly background,
 * which every message has in a memory (MEM-038).
 * @param hits - hits, best first
 * @param model - name of the model of the vectors; undefined without vectors
 */
export function withoutBackground(
  hits: readonly SearchHit[],
  model: string | undefined,
): readonly SearchHit[] {
  const limits = model?.startsWith("local/embeddings-en") === true ? WORD_VECTORS : OTHER;
  const first = hits.slice(0, OFFERED);
  return first.some((hit) => isEvidence(hit, limits)) ? first : [];
}

function isEvidence({ similarity = 0, match }: SearchHit, limits: Limits): boolean {
  if (match >= ENOUGH_WORDS) return true;
  if (similarity < limits.unknown) return match >= limits.match;
  return (similarity + match) / 2 >= limits.evidence;
}
