import { termsOf, type WeightedTerm } from "../search/query-terms.js";
import type { SearchHit } from "../search/ranking.js";
import type { SearchResult } from "../search/search.js";
import { sentencesOf, traitsOf } from "./message-traits.js";

/** Hits whose evidence decides. */
const CONSIDERED = 5;
/** Hits that are offered at most when one of the first has most words of the message: it is the answer, or there is none. */
const OFFERED = 3;
/** Hits that are offered at most in other words, where the answer is often behind other notes. */
const OFFERED_IN_OTHER_WORDS = 8;
/** Coverage of the words of the message from which a hit has most of them. */
const MOST_WORDS = 0.5;

/** Coverage with which even a request for general knowledge is one for the note. */
const NEARLY_ALL_WORDS = 0.75;
/** Match below which a text in another language, such as lines of code, has words of a hit by chance. */
const FOREIGN_MATCH = 0.25;
/** Words with a subject from which a message is specific. */
const MANY_WORDS = 6;

/** Evidence that a sentence asks about notes, each from 0 to 1. */
export interface Evidence {
  /** Best match of the first {@link CONSIDERED} hits. */
  readonly match: number;
  /** Best coverage of these hits. */
  readonly coverage: number;
  readonly english: number;
  readonly personal: number;
  readonly order: number;
  readonly smallTalk: number;
  readonly general: number;
  readonly toAgent: number;
  readonly indefinite: number;
  /** A name that no note has. */
  readonly unknownName: number;
  readonly choice: number;
  /** Number of words with a subject in an English sentence, up to {@link MANY_WORDS}. */
  readonly words: number;
}

/**
 * Weights of a logistic regression for the built-in word vectors, and the sum from which notes are offered. Printed by
 * `node bench/questions/offer-weights.mjs`, which reads the queries for tuning.
 */
const WEIGHTS: Readonly<Record<keyof Evidence | "constant", number>> = {
  constant: -0.49,
  match: 3.69,
  coverage: 0.76,
  english: -3.26,
  personal: 1.57,
  order: -3.34,
  smallTalk: -3.83,
  general: -2.52,
  toAgent: -3.24,
  indefinite: -1.72,
  unknownName: -2.31,
  choice: 0.95,
  words: 3.09,
};
const ENOUGH = 0.47;

/** Limits of a model that was not measured: its similarities are compared with the usual ones of such models. */
const OTHER_MODELS = {
  /** Match of the words that is evidence alone. */
  words: 0.5,
  /** Mean of similarity and match. */
  mean: 0.25,
  /** Similarity below which a model does not know the language of the text, so that only its words are compared. */
  unknown: 0.05,
  /** Match of the words of such a text. */
  match: 0.3,
};

/** Result of the search of a turn. */
export type Found = Pick<SearchResult, "hits" | "model" | "terms">;

/**
 * Returns the hits of an automatic search that are offered to a turn: the best few, unless the message asks about nothing
 * that notes are about, or the hits are clearly background, which every message has in a memory (MEM-038).
 * @param found - result of the search, its hits best first
 * @param message - the message that was searched for
 */
export function withoutBackground(found: Found, message: string): readonly SearchHit[] {
  const { hits, model, terms } = found;
  if (hits.length === 0) return [];
  if (model?.startsWith("local/embeddings-en") !== true) {
    const first = hits.slice(0, OFFERED);
    return first.some(isEvidence) ? first : [];
  }
  const evidence = sentencesOf(message).map((sentence) => evidenceOf(hits, terms, sentence));
  const asking = evidence.find(isAsking);
  if (asking === undefined) return [];
  return hits.slice(0, asking.coverage >= MOST_WORDS ? OFFERED : OFFERED_IN_OTHER_WORDS);
}

/**
 * Returns the evidence that a sentence asks about notes.
 * @param hits - hits of the message, best first
 * @param terms - terms of the message with the number of chunks that have each
 * @param sentence - the message, or a sentence of it
 */
export function evidenceOf(
  hits: readonly SearchHit[],
  terms: readonly WeightedTerm[],
  sentence: string,
): Evidence {
  const traits = traitsOf(sentence);
  const considered = hits.slice(0, CONSIDERED);
  const counts = new Map(terms.map(({ word, count }) => [word, count]));
  return {
    match: Math.max(0, ...considered.map(({ match }) => match)),
    coverage: Math.max(0, ...considered.map(({ fullText }) => fullText?.coverage ?? 0)),
    english: Number(traits.isEnglish),
    personal: Number(traits.isPersonal),
    order: Number(traits.isOrder),
    smallTalk: Number(traits.isSmallTalk),
    general: Number(traits.isGeneral),
    toAgent: Number(traits.isToAgent),
    indefinite: Number(traits.isIndefinite),
    unknownName: Number(traits.names.some((name) => counts.get(name) === 0)),
    choice: Number(traits.isChoice),
    words: traits.isEnglish ? Math.min(termsOf(sentence).length, MANY_WORDS) / MANY_WORDS : 0,
  };
}

function isAsking(evidence: Evidence): boolean {
  const { match, coverage, english, smallTalk, toAgent } = evidence;
  if (english === 0 && match < FOREIGN_MATCH) return false;
  if (coverage >= NEARLY_ALL_WORDS && smallTalk === 0 && toAgent === 0) return true;
  return offerScore(evidence) >= ENOUGH;
}

function offerScore(evidence: Evidence): number {
  let sum = WEIGHTS.constant;
  for (const name of Object.keys(evidence) as (keyof Evidence)[]) {
    sum += WEIGHTS[name] * evidence[name];
  }
  return sum;
}

function isEvidence({ similarity = 0, match }: SearchHit): boolean {
  const { words, mean, unknown, match: enough } = OTHER_MODELS;
  if (match >= words) return true;
  if (similarity < unknown) return match >= enough;
  return (similarity + match) / 2 >= mean;
}
