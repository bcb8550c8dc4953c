/** Constant of reciprocal rank fusion: the larger, the less the first ranks count. */
const RANK_CONSTANT = 60;

/** A result of reciprocal rank fusion. */
export interface FusedItem {
  readonly id: string;
  /** From 0 to 1; the best has 1. */
  readonly score: number;
  readonly fullTextRank: number | undefined;
  readonly vectorRank: number | undefined;
}

/** Options of {@link fuseRanks}. */
export interface FusionOptions {
  /** Default 60. */
  readonly rankConstant?: number | undefined;
  readonly limit: number;
  /** Results with a lower score are dropped. */
  readonly minimumScore?: number | undefined;
}

/**
 * Fuses two ranked lists by reciprocal ranks, and divides by the best score (MEM-013). An empty list counts as absent.
 * @param fullText - IDs, best first
 * @param vectors - IDs, best first
 * @param options - constant and limits
 */
export function fuseRanks(
  fullText: readonly string[],
  vectors: readonly string[],
  { rankConstant = RANK_CONSTANT, limit, minimumScore = 0 }: FusionOptions,
): FusedItem[] {
  const ranks = new Map<string, { fullText?: number; vector?: number }>();
  for (const [index, id] of fullText.entries()) {
    const known = ranks.get(id) ?? {};
    known.fullText ??= index + 1;
    ranks.set(id, known);
  }
  for (const [index, id] of vectors.entries()) {
    const known = ranks.get(id) ?? {};
    known.vector ??= index + 1;
    ranks.set(id, known);
  }
  const share = (rank: number | undefined) => (rank === undefined ? 0 : 1 / (rankConstant + rank));
  const scored = [...ranks].map(([id, rank]) => ({
    id,
    score: share(rank.fullText) + share(rank.vector),
    fullTextRank: rank.fullText,
    vectorRank: rank.vector,
  }));
  const best = Math.max(...scored.map(({ score }) => score), Number.MIN_VALUE);
  return scored
    .map((item) => ({ ...item, score: item.score / best }))
    .filter(({ score }) => score >= minimumScore)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
