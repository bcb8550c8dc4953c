import { describeError } from "@openclaw/agent";
import { OpenClawError } from "@openclaw/foundation";
import type { EmbeddingPort } from "@openclaw/server";
import type { HostEmbeddings } from "./embeddings.js";

/**
 * Creates the embedding models of the route `POST /v1/embeddings`. Failures of a model or of the configuration become
 * outcomes; others are thrown.
 * @param embeddings - embedding models of the host
 */
export function createEmbeddingPort(embeddings: Pick<HostEmbeddings, "embed">): EmbeddingPort {
  return {
    async embed(task) {
      try {
        return { status: "embedded", ...(await embeddings.embed(task)) };
      } catch (error) {
        if (!OpenClawError.isInstance(error)) throw error;
        return { status: "failed", error: describeError(error) };
      }
    },
  };
}
