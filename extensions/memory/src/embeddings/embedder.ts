/** Vectors of strings. */
export interface Embedding {
  /** Name and version of the model; vectors of different models are never compared. */
  readonly model: string;
  /** Length of the vectors; 0 when no text was sent. */
  readonly dimensions: number;
  /** A vector for each text, in the same order; undefined for a text with a secret, which is not sent (MEM-024). */
  readonly vectors: readonly (ArrayLike<number> | undefined)[];
}

/** Creates embedding vectors. */
export interface Embedder {
  /** Returns the name of the model, without a request to it. */
  model(): Promise<string>;
  /**
   * Creates the vectors of at most 64 strings (MEM-024).
   * @param signal - aborts when the vectors are no longer needed
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedding>;
  /**
   * Returns the vectors of single words, of a model that computes them in the process within microseconds; undefined for
   * any other model.
   * @param words - any number of words
   * @param signal - aborts when the vectors are no longer needed
   */
  readonly embedWords?: (
    words: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly (ArrayLike<number> | undefined)[] | undefined>;
}
