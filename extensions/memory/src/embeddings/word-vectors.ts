import type { Embedder } from "./embedder.js";

/** Words whose vectors are kept: about 8 MB with the built-in model. */
const MOST_WORDS = 8192;

/** Vectors of single words, of a model that computes them in the process; those used last are kept. */
export class WordVectorCache {
  readonly #embedder: Embedder;
  #recent = new Map<string, ArrayLike<number>>();
  #older = new Map<string, ArrayLike<number>>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /**
   * Returns the vectors of words; none with a model that is not asked for single words.
   * @param words - words in normal form
   * @param signal - aborts when the search ends
   */
  async of(
    words: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ArrayLike<number>>> {
    const { embedWords } = this.#embedder;
    const found = new Map<string, ArrayLike<number>>();
    if (embedWords === undefined) return found;
    const missing: string[] = [];
    for (const word of words) {
      const vector = this.#recent.get(word) ?? this.#older.get(word);
      if (vector === undefined) missing.push(word);
      else this.#keep(found, word, vector);
    }
    const vectors = missing.length === 0 ? [] : await embedWords(missing, signal);
    for (const [index, word] of missing.entries()) {
      const vector = vectors?.[index];
      if (vector !== undefined) this.#keep(found, word, vector);
    }
    return found;
  }

  #keep(found: Map<string, ArrayLike<number>>, word: string, vector: ArrayLike<number>): void {
    found.set(word, vector);
    if (this.#recent.size >= MOST_WORDS / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(word, vector);
  }
}
