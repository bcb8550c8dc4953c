import { createLocalEmbeddingProvider } from "@openclaw/models";

/** Provider of the models that compute in the process; word vectors are read when they are first used. */
export function localEmbeddings() {
  return createLocalEmbeddingProvider([
    {
      name: "embeddings-en",
      version: "v2",
      load: async () => {
        const { loadWordEmbeddings } = await import("@openclaw/embeddings-en");
        return loadWordEmbeddings();
      },
    },
  ]);
}
