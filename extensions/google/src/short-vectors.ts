type GoogleEmbeddingModel = ReturnType<
  ReturnType<typeof import("@ai-sdk/google").createGoogle>["embeddingModel"]
>;

/** Length of vectors unless a request has another one; the API's own default is 3072. */
const DIMENSIONS = 768;

/**
 * Requests vectors of 768 dimensions unless a request has another number (MEM-021), and scales vectors to length 1,
 * which the API does only for its own default.
 * @param model - embedding model of the Gemini API
 */
export function shortVectors(model: GoogleEmbeddingModel): GoogleEmbeddingModel {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    async doEmbed(options) {
      const result = await model.doEmbed({
        ...options,
        dimensions: options.dimensions ?? DIMENSIONS,
      });
      return { ...result, embeddings: result.embeddings.map(scaled) };
    },
  };
}

function scaled(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
