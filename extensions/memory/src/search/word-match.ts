import { partsOf, termsOfText } from "../text/terms.js";
import type { WeightedTerm } from "./query-terms.js";

/** Vectors of words, of length 1, by word. */
export type WordVectors = ReadonlyMap<string, ArrayLike<number>>;

/** Words of a chunk that are compared with a query. */
export interface ComparedWords {
  readonly terms: ReadonlySet<string>;
  readonly words: readonly string[];
}

/** Similarity of words from which their groups of characters say that they belong together. */
const SAME_STEM = 0.5;
/** Growth of the similarity that chance gives with the logarithm of the number of words. */
const CHANCE = 0.1;

/**
 * Returns the words of a chunk to compare with a query.
 * @param text - title and text of the chunk
 */
export function comparedWords(text: string): ComparedWords {
  const found = termsOfText(text, "index");
  return {
    terms: new Set(found.map(({ term }) => term)),
    words: [...new Set(found.map(({ word }) => word))],
  };
}

/** Compares the words of a query with those of chunks; a pair of words is compared once. */
export class WordComparison {
  readonly #terms: readonly WeightedTerm[];
  readonly #vectors: WordVectors;
  readonly #known: readonly Map<string, number>[];

  /**
   * @param terms - terms of the query
   * @param vectors - vectors of the words of both; words without one are compared by their characters
   */
  constructor(terms: readonly WeightedTerm[], vectors: WordVectors) {
    this.#terms = terms;
    this.#vectors = vectors;
    this.#known = terms.map(() => new Map<string, number>());
  }

  /**
   * Returns how well the words of a chunk answer those of the query, from 0 to 1: the mean of the best similarity of each
   * word of the query to a word of the chunk, in which rare words count more (MEM-013). A long chunk has a similar word
   * by chance, so that it needs a more similar one.
   */
  match(chunk: ComparedWords): number {
    const chance = 1 + CHANCE * Math.log(Math.max(chunk.words.length, 1));
    let total = 0;
    let matched = 0;
    for (const [index, term] of this.#terms.entries()) {
      total += term.weight;
      const best = chunk.terms.has(term.term) ? 1 : this.#best(index, chunk) / chance;
      matched += term.weight * best;
    }
    return total === 0 ? 0 : matched / total;
  }

  /** Returns the share of the weight of the query's terms that a chunk has, from 0 to 1. */
  coverage(chunk: ComparedWords): number {
    let total = 0;
    let has = 0;
    for (const { term, weight } of this.#terms) {
      total += weight;
      if (chunk.terms.has(term)) has += weight;
    }
    return total === 0 ? 0 : has / total;
  }

  #best(index: number, { words }: ComparedWords): number {
    const term = this.#terms[index];
    const known = this.#known[index];
    if (term === undefined || known === undefined) return 0;
    let best = 0;
    for (const word of words) {
      let similarity = known.get(word);
      if (similarity === undefined) {
        similarity = this.#similarity(term, word);
        known.set(word, similarity);
      }
      if (similarity > best) best = similarity;
    }
    return best;
  }

  #similarity({ word, parts }: WeightedTerm, other: string): number {
    const vector = this.#vectors.get(word);
    const otherVector = this.#vectors.get(other);
    const meaning =
      vector === undefined || otherVector === undefined ? 0 : product(vector, otherVector);
    const spelling = parts.length === 0 ? 0 : sharedParts(parts, partsOf(other));
    return Math.max(meaning, spelling >= SAME_STEM ? spelling : 0);
  }
}

/** Cosine of two sets of groups of characters. */
function sharedParts(own: readonly string[], others: readonly string[]): number {
  const shared = others.filter((part) => own.includes(part)).length;
  return shared / Math.sqrt(own.length * others.length);
}

function product(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1)
    sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
