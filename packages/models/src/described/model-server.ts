import type { ModelProvider } from "@openclaw/plugin-sdk";
import { boundedFetch, isLocalUrl, listProviderModels } from "@openclaw/plugin-sdk/provider-entry";
import type { ModelServer } from "../configuration/model-servers.js";

/**
 * Creates the provider of a named server (LLM-660). It is never chosen by default, because its ID names no model.
 * @param id - name of the server
 * @param server - settings, with the values of stored secrets
 */
export function createModelServer(id: string, server: ModelServer): ModelProvider {
  const { baseUrl, apiKey, headers = {}, models = {} } = server;
  const configured = Object.keys(models);
  const client = async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({
      name: id,
      baseURL: baseUrl,
      headers: { ...headers },
      includeUsage: true,
      // Without it, the schema of a requested reply would be left out silently.
      supportsStructuredOutputs: true,
      fetch: boundedFetch(),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  };
  return {
    id,
    label: id,
    defaultModel: "",
    // A server in the operator's own network counts as free, any other as paid.
    paid: !isLocalUrl(baseUrl),
    credential: { source: `models.providers.${id}` },
    setup: `name a model as ${id}/<model>`,
    languageModel: async (modelId) => (await client()).chatModel(modelId),
    listModels: async () =>
      configured.length > 0
        ? configured
        : await listProviderModels({ baseURL: baseUrl, apiKey, headers }),
    defaultEmbeddingModel: "",
    embeddingModel: async (modelId) => (await client()).embeddingModel(modelId),
  };
}
