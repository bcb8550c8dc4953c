import { defined } from "@openclaw/foundation";
import type { HostAgentPort } from "@openclaw/plugin-sdk/services";
import type { HostEmbeddings } from "../../host/embeddings.js";

/**
 * Creates the access of plugins to embedding models.
 * @param embeddings - returns the embeddings of the host; called when a plugin uses them
 */
export function createPluginEmbeddingPort(
  embeddings: () => Pick<HostEmbeddings, "model" | "embed">,
): NonNullable<HostAgentPort["embeddings"]> {
  return {
    async model(name) {
      const { ref, isLocal } = await embeddings().model(name);
      return { model: ref, isLocal };
    },
    async embed(request) {
      const { tokens, ...answer } = await embeddings().embed(request);
      return { ...answer, ...defined({ tokens }) };
    },
  };
}
