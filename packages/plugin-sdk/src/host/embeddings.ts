/** Strings for `runtime.embeddings.embed`. */
export interface EmbeddingRequest {
  /** Strings in any number; the host sends at most 64 in one request. */
  readonly texts: readonly string[];
  /** Model as `provider/model`; the configured one when absent. */
  readonly model?: string;
  /** Length of the vectors; the model's own when absent. */
  readonly dimensions?: number;
  readonly signal?: AbortSignal;
}

/** Vector of a text, or the reason why the text was not sent to a provider. */
export type TextEmbedding = { readonly vector: Float32Array } | { readonly blocked: string };

/** Vectors of strings. */
export interface EmbeddingAnswer {
  /** Model as `provider/model`, with its version. Store it with the vectors: those of different models never mix. */
  readonly model: string;
  /** Length of the vectors; 0 when no text was sent. */
  readonly dimensions: number;
  /** Result for each text, in the same order. */
  readonly embeddings: readonly TextEmbedding[];
  /** Tokens that the provider counted; absent when it did not say. */
  readonly tokens?: number;
}

/** Embedding model. */
export interface EmbeddingModelInfo {
  /** `provider/model`, with its version. */
  readonly model: string;
  /** True when strings do not leave the host. */
  readonly isLocal: boolean;
}

/** Turns strings into vectors, with the model that the operator configured (MEM-021). */
export interface RuntimeEmbeddings {
  /**
   * Returns the name of a model, to compare it with that of stored vectors.
   * @param name - `provider/model`; the configured one when absent
   * @throws an error with code `EMBEDDINGS_DISABLED`, `MODEL_NOT_FOUND` or `MODEL_PROVIDER_NOT_READY`
   */
  model(name?: string): Promise<EmbeddingModelInfo>;
  /**
   * Embeds strings. A text in which the host finds a secret is not sent to a provider; its result has the reason.
   * @param request - strings and model
   * @throws the errors of `model`; one of the errors of models when a request fails, nothing is repeated
   */
  embed(request: EmbeddingRequest): Promise<EmbeddingAnswer>;
}
