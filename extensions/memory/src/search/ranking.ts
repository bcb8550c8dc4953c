import { dayOfPath } from "../documents/path.js";
import type { Calibration } from "./calibration.js";
import type { Candidate, CandidateRow } from "./candidate.js";
import type { WeightedTerm } from "./full-text.js";
import { fuseRanks, RANK_CONSTANT } from "./fusion.js";
import { stemsOf } from "./query-terms.js";
import { similarChunks } from "./similar-candidates.js";

/** Coverage of a document that is about a date in the query, but not the daily note of that date. */
const DATED_COVERAGE = 0.8;

/** Evidence of the full-text search for a hit. */
export interface FullTextEvidence {
  /** Weight of the engine: BM25 of SQLite, or `ts_rank_cd` of PostgreSQL. */
  readonly weight: number;
  /** Share of the query's terms that the chunk has, from 0 to 1; a rare term counts more. */
  readonly coverage: number;
}

/** A chunk that matches a query (MEM-014). */
export interface SearchHit {
  readonly path: string;
  readonly document: string;
  readonly chunk: number;
  readonly text: string;
  /** From 0 to 1; the best hit has 1. */
  readonly score: number;
  readonly fullTextRank: number | undefined;
  readonly vectorRank: number | undefined;
  /** Cosine similarity of the vectors; undefined where the chunk has no vector. */
  readonly similarity: number | undefined;
  readonly fullText: FullTextEvidence | undefined;
  readonly updatedAt: string;
  readonly eventDate: string | undefined;
}

/** Fusion of the two lists, and limits of their evidence. */
export interface RankingOptions extends Calibration {
  /** `ranks` is reciprocal rank fusion; `evidence` a weighted sum of coverage and similarity. */
  readonly fusion: "ranks" | "evidence";
  /** Share of the similarity in the sum, from 0 to 1. */
  readonly vectorShare: number;
  /** Minimum coverage that counts as evidence. */
  readonly minimumCoverage: number;
  /** Hits with a lower score are dropped. */
  readonly minimumScore: number;
  /** Gain of the newest hit over the oldest one, so that of near equal hits the newer one is first. */
  readonly recency: number;
}

/** Results of both searches before they are ranked. */
export interface Findings {
  readonly terms: readonly WeightedTerm[];
  readonly fullText: readonly Candidate[];
  readonly vectors: readonly Candidate[];
  /** Similarities of all chunks of both lists, where known. */
  readonly similarities: ReadonlyMap<number, number>;
  /** Names in the query. */
  readonly names: readonly string[];
  /** Similarities of the chunks to the query apart from its names. */
  readonly topics: ReadonlyMap<number, number>;
  /** Dates that the query names. */
  readonly days: ReadonlySet<string>;
  /** True when the search is limited to some dates, which is evidence enough. */
  readonly hasDates: boolean;
}

interface Evidence {
  readonly row: CandidateRow;
  readonly fullTextRank: number | undefined;
  readonly vectorRank: number | undefined;
  readonly weight: number | undefined;
  readonly coverage: number;
  readonly similarity: number | undefined;
}

/**
 * Ranks the results of both searches, and drops those without evidence (MEM-013).
 * @param findings - results of both searches
 * @param options - fusion and limits
 * @returns hits, best first; of equal scores the newer document, then by ID
 */
export function rank(findings: Findings, options: RankingOptions): SearchHit[] {
  const found = evidenceOf(findings);
  const similar = similarChunks(found, findings, options);
  const candidates = found.filter(
    (candidate) =>
      findings.hasDates ||
      similar.has(candidate.row.chunk) ||
      (candidate.fullTextRank !== undefined && candidate.coverage >= options.minimumCoverage),
  );
  const scores =
    options.fusion === "ranks" ? scoresByRank(candidates) : scoresByEvidence(candidates, options);
  preferNewer(candidates, scores, options.recency);
  const best = Math.max(...scores.values(), Number.MIN_VALUE);
  return candidates
    .map((candidate) => hitOf(candidate, (scores.get(candidate.row.chunk) ?? 0) / best))
    .filter(({ score }) => score >= options.minimumScore)
    .sort(byScore);
}

/** Best first; of equal scores the newer document, then by ID. */
export function byScore(a: SearchHit, b: SearchHit): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt ? -1 : 1;
  return a.chunk - b.chunk;
}

/** Adds to each score a share of the greatest one that grows with the time of the document. */
function preferNewer(
  candidates: readonly Evidence[],
  scores: Map<number, number>,
  recency: number,
): void {
  const times = [...new Set(candidates.map(({ row }) => row.updated_at))].sort();
  if (times.length < 2 || recency === 0) return;
  const best = Math.max(...scores.values());
  const order = new Map(times.map((time, index) => [time, index / (times.length - 1)]));
  for (const { row } of candidates) {
    const gain = (order.get(row.updated_at) ?? 0) * recency * best;
    scores.set(row.chunk, (scores.get(row.chunk) ?? 0) + gain);
  }
}

function evidenceOf({ terms, fullText, vectors, similarities, days }: Findings): Evidence[] {
  const byChunk = new Map<number, Evidence>();
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const vectorRanks = new Map(vectors.map(({ chunk, rank }) => [chunk, rank]));
  const textual = new Map(fullText.map((candidate) => [candidate.chunk, candidate]));
  for (const row of [...fullText, ...vectors]) {
    if (byChunk.has(row.chunk)) continue;
    const found = textual.get(row.chunk);
    byChunk.set(row.chunk, {
      row,
      fullTextRank: found?.rank,
      vectorRank: vectorRanks.get(row.chunk),
      weight: found?.evidence,
      coverage: coverageIn(row, found !== undefined, { terms, total, days }),
      similarity: similarities.get(row.chunk),
    });
  }
  return [...byChunk.values()];
}

/** A document about a date that the query names covers it, whatever other words the query has. */
function coverageIn(
  row: CandidateRow,
  isFound: boolean,
  query: Pick<Findings, "terms" | "days"> & { readonly total: number },
): number {
  if (row.event_date !== null && query.days.has(row.event_date)) {
    return dayOfPath(row.path) === row.event_date ? 1 : DATED_COVERAGE;
  }
  return isFound && query.total > 0 ? coverageOf(row, query.terms) / query.total : 0;
}

function coverageOf({ text, path, event_date }: CandidateRow, terms: readonly WeightedTerm[]) {
  const stems = stemsOf(`${path} ${event_date ?? ""} ${text}`);
  return terms.reduce((sum, { stem, weight }) => (stems.has(stem) ? sum + weight : sum), 0);
}

function scoresByRank(candidates: readonly Evidence[]): Map<number, number> {
  const ranked = (rankOf: (candidate: Evidence) => number | undefined) =>
    candidates
      .filter((candidate) => rankOf(candidate) !== undefined)
      .sort((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0))
      .map(({ row }) => String(row.chunk));
  const fused = fuseRanks(
    ranked(({ fullTextRank }) => fullTextRank),
    ranked(({ vectorRank }) => vectorRank),
    { rankConstant: RANK_CONSTANT, limit: candidates.length },
  );
  return new Map(fused.map(({ id, score }) => [Number(id), score]));
}

function scoresByEvidence(
  candidates: readonly Evidence[],
  { vectorShare }: RankingOptions,
): Map<number, number> {
  const heaviest = Math.max(...candidates.map(({ weight = 0 }) => weight), Number.MIN_VALUE);
  const hasVectors = candidates.some(({ similarity }) => similarity !== undefined);
  const share = hasVectors ? vectorShare : 0;
  return new Map(
    candidates.map(({ row, coverage, weight = 0, similarity = 0 }) => {
      // The weight of the engine distinguishes chunks that have the same terms.
      const textual = 0.5 * coverage + 0.5 * (weight / heaviest);
      return [row.chunk, (1 - share) * textual + share * Math.max(similarity, 0)];
    }),
  );
}

function hitOf(candidate: Evidence, score: number): SearchHit {
  const { row, fullTextRank, vectorRank, weight, coverage, similarity } = candidate;
  return {
    path: row.path,
    document: row.document,
    chunk: row.chunk,
    text: row.text,
    score,
    fullTextRank,
    vectorRank,
    similarity,
    fullText: weight === undefined ? undefined : { weight, coverage },
    updatedAt: row.updated_at,
    eventDate: row.event_date ?? undefined,
  };
}
