/** Vectors of texts. */
export interface Embedding {
  /** Name and version of the model; vectors of different models are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /** A vector for each text, in the same order. */
  readonly vectors: readonly ArrayLike<number>[];
}

/** Creates embedding vectors. */
export interface Embedder {
  /**
   * Creates the vectors of at most 64 texts (MEM-024).
   * @param texts - the texts
   * @param signal - aborts when the vectors are no longer needed
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedding>;
  /** True when the texts are sent to another machine; such texts must not contain secrets. */
  readonly remote?: boolean | undefined;
}
