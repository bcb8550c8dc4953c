/** By its file: extensions depend on the SDK alone (SDK-032), and only benchmarks need the model without a host. */
const MODEL = new URL("../../../packages/embeddings-en/dist/index.js", import.meta.url);
const { loadWordEmbeddings } = await import(MODEL.href);

/**
 * Returns the default embedding model without a host. The leak watch of a test host follows every promise, which would
 * take longer than what is measured.
 */
export function embeddedModel() {
  const model = loadWordEmbeddings();
  return {
    model: async () => `local/${model.id}`,
    embedWords: async (words) => words.map((word) => model.embed(word)),
    async embed(texts) {
      const vectors = texts.map((text) => model.embed(text));
      return { model: `local/${model.id}`, dimensions: model.dimensions, vectors };
    },
  };
}
