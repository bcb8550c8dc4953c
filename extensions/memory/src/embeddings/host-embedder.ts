import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { RuntimeEmbeddings } from "@openclaw/plugin-sdk/services";
import type { Embedder } from "./embedder.js";

/** Name of the built-in word vectors, whatever their version is. */
const WORD_VECTORS = "local/embeddings-en";
/** Value of the configuration that turns vectors off. */
const NONE = "none";

/**
 * Returns the embedding model of the host, which removes strings with secrets and batches the others (MEM-021, MEM-024).
 * @param embeddings - `api.runtime.embeddings`
 * @param model - `provider/model`; the configured one of the host when undefined
 * @returns undefined on a host without embeddings, or when vectors are turned off
 */
export function hostEmbedder(
  embeddings: RuntimeEmbeddings | undefined,
  model: string | undefined,
): Embedder | undefined {
  if (embeddings === undefined || model === NONE) return undefined;
  const nameOfModel = async () => (await embeddings.model(model)).model;
  return {
    model: nameOfModel,
    async embedWords(words, signal) {
      if (!(await nameOfModel()).startsWith(WORD_VECTORS)) return undefined;
      const answer = await embeddings.embed(defined({ texts: words, signal, model }));
      return answer.embeddings.map((each) => ("vector" in each ? each.vector : undefined));
    },
    async embed(texts, signal) {
      const answer = await embeddings.embed(defined({ texts, signal, model }));
      return {
        model: answer.model,
        dimensions: answer.dimensions,
        vectors: answer.embeddings.map((each) => ("vector" in each ? each.vector : undefined)),
      };
    },
  };
}
