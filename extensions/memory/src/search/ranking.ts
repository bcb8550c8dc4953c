import { titleOf } from "../documents/content.js";
import { dayOfPath } from "../documents/path.js";
import type { Candidate, CandidateRow } from "./candidate.js";
import { fuseRanks } from "./fusion.js";
import type { WeightedTerm } from "./query-terms.js";
import {
  type ComparedWords,
  comparedWords,
  WordComparison,
  type WordVectors,
} from "./word-match.js";

/** Evidence of the full-text search for a hit. */
export interface FullTextEvidence {
  /** Weight of the engine: BM25 of SQLite, or `ts_rank_cd` of PostgreSQL with the weights of the terms. */
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
  /** Match of its words with those of the query, from 0 to 1. */
  readonly match: number;
  readonly updatedAt: string;
  readonly eventDate: string | undefined;
}

/** Weights and limits of a ranking. */
export interface RankingOptions {
  /** Constant of reciprocal rank fusion: the larger, the less the first ranks count. */
  readonly rankConstant: number;
  /** Number of fused candidates that are ranked by their evidence. */
  readonly compared: number;
  /** Weights of the match of words, of the similarity, and of the fusion of the ranks in the score. */
  readonly matchWeight: number;
  readonly similarityWeight: number;
  readonly fusionWeight: number;
  /** Hits with a lower similarity are dropped, unless they have half of the words; 0 drops none. */
  readonly minimumSimilarity: number;
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
  /** Dates that the query names. */
  readonly days: ReadonlySet<string>;
  /** Returns the vectors of words. */
  readonly wordVectors: (words: ReadonlySet<string>) => Promise<WordVectors>;
}

/** Coverage that is evidence without similarity. */
const ENOUGH_WORDS = 0.5;

interface Fused {
  readonly row: CandidateRow;
  readonly weight: number | undefined;
  readonly fullTextRank: number | undefined;
  readonly vectorRank: number | undefined;
  readonly similarity: number | undefined;
  readonly fusion: number;
}

/**
 * Ranks the results of both searches (MEM-013): their ranks are fused, and the best are ranked by what is
 * known about them: the similarity of meaning, and how well the words of one answer those of the other.
 * @param findings - results of both searches
 * @param options - shares and limits
 * @returns hits, best first; of equal scores the newer document, then by ID
 */
export async function rank(findings: Findings, options: RankingOptions): Promise<SearchHit[]> {
  const fused = fuse(findings, options).slice(0, options.compared);
  const words = new Map(fused.map(({ row }) => [row.chunk, comparedWords(textOf(row))]));
  const vectors = await findings.wordVectors(allWords(findings.terms, words));
  const comparison = new WordComparison(findings.terms, vectors);
  const hits = fused.map((candidate) => {
    const compared = words.get(candidate.row.chunk) ?? comparedWords("");
    return hitOf(candidate, findings.days, { comparison, compared, options });
  });
  const newer = preferNewer(hits, options.recency);
  const best = Math.max(...newer.map(({ score }) => score), Number.MIN_VALUE);
  return newer
    .map((hit) => ({ ...hit, score: hit.score / best }))
    .filter((hit) => isEnough(hit, options))
    .sort(byScore);
}

/** Best first; of equal scores the newer document, then by ID. */
export function byScore(a: SearchHit, b: SearchHit): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt ? -1 : 1;
  return a.chunk - b.chunk;
}

function isEnough(
  { score, similarity, fullText }: SearchHit,
  { minimumScore, minimumSimilarity }: RankingOptions,
): boolean {
  if (score < minimumScore) return false;
  if (minimumSimilarity <= 0 || (similarity ?? 0) >= minimumSimilarity) return true;
  return (fullText?.coverage ?? 0) >= ENOUGH_WORDS;
}

function fuse({ fullText, vectors, similarities }: Findings, options: RankingOptions): Fused[] {
  const textual = new Map(fullText.map((candidate) => [String(candidate.chunk), candidate]));
  const vectorial = new Map(vectors.map((candidate) => [String(candidate.chunk), candidate]));
  const items = fuseRanks([...textual.keys()], [...vectorial.keys()], {
    rankConstant: options.rankConstant,
    limit: textual.size + vectorial.size,
  });
  return items.flatMap(({ id, score, fullTextRank, vectorRank }) => {
    const found = textual.get(id);
    const row = found ?? vectorial.get(id);
    if (row === undefined) return [];
    const similarity = similarities.get(row.chunk);
    return [{ row, weight: found?.evidence, fullTextRank, vectorRank, similarity, fusion: score }];
  });
}

function hitOf(
  { row, weight, fullTextRank, vectorRank, similarity, fusion }: Fused,
  days: ReadonlySet<string>,
  {
    comparison,
    compared,
    options,
  }: {
    readonly comparison: WordComparison;
    readonly compared: ComparedWords;
    readonly options: RankingOptions;
  },
): SearchHit {
  const dated = row.event_date !== null && days.has(row.event_date) ? datedMatch(row) : undefined;
  const match = dated ?? comparison.match(compared);
  const { matchWeight, similarityWeight, fusionWeight } = options;
  return {
    path: row.path,
    document: row.document,
    chunk: row.chunk,
    text: row.text,
    score:
      matchWeight * match + similarityWeight * Math.max(similarity ?? 0, 0) + fusionWeight * fusion,
    fullTextRank,
    vectorRank,
    similarity,
    fullText:
      weight === undefined
        ? undefined
        : { weight, coverage: dated ?? comparison.coverage(compared) },
    match,
    updatedAt: row.updated_at,
    eventDate: row.event_date ?? undefined,
  };
}

/** A document about a date that the query names is an answer, whatever other words the query has. */
function datedMatch({ path, event_date }: CandidateRow): number {
  return dayOfPath(path) === event_date ? 1 : 0.8;
}

/** Adds to each score a share of the greatest one that grows with the time of the document. */
function preferNewer(hits: readonly SearchHit[], recency: number): SearchHit[] {
  const times = [...new Set(hits.map(({ updatedAt }) => updatedAt))].sort();
  if (times.length < 2 || recency === 0) return [...hits];
  const best = Math.max(...hits.map(({ score }) => score));
  const order = new Map(times.map((time, index) => [time, index / (times.length - 1)]));
  return hits.map((hit) => ({
    ...hit,
    score: hit.score + (order.get(hit.updatedAt) ?? 0) * recency * best,
  }));
}

function allWords(
  terms: readonly WeightedTerm[],
  words: ReadonlyMap<number, ComparedWords>,
): Set<string> {
  const all = new Set(terms.map(({ word }) => word));
  for (const compared of words.values()) {
    for (const word of compared.words) all.add(word);
  }
  return all;
}

function textOf({ path, event_date, text }: CandidateRow): string {
  return `${titleOf({ path, eventDate: event_date ?? undefined })} ${text}`;
}
