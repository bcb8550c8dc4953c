import {
  boundedFetch,
  defineModelProviderPlugin,
  isLocalUrl,
  listProviderModels,
} from "@openclaw/plugin-sdk/provider-entry";

/** Wording of the errors about the URL of a server. */
const ADDRESS_INVALID = {
  code: "OPENAI_COMPATIBLE_ADDRESS_INVALID",
  example: "http://localhost:1234/v1",
};
const ADDRESS_MISSING = { label: "server URL", code: "OPENAI_COMPATIBLE_ADDRESS_MISSING" };

export default defineModelProviderPlugin({
  id: "openai-compatible",
  config: {
    baseURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description: "URL of the server, up to /v1; default: the variable LLM_BASE_URL.",
    },
    apiKey: {
      type: "string",
      description: "API key, if the server needs one; default: LLM_API_KEY.",
    },
    model: { type: "string", description: "Model of the server; default: LLM_MODEL." },
  },
  env: { baseURL: "LLM_BASE_URL", apiKey: "LLM_API_KEY", model: "LLM_MODEL" },
  create(settings) {
    const url = settings.httpUrl("baseURL", ADDRESS_INVALID);
    const model = settings.find("model");
    const apiKey = settings.headerValue("apiKey");
    const baseURL = () => settings.require("baseURL", ADDRESS_MISSING);
    async function client() {
      const server = {
        name: "openai-compatible",
        baseURL: baseURL(),
        includeUsage: true,
        // Without it, the schema of a requested reply would be left out silently.
        supportsStructuredOutputs: true,
      };
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const key = apiKey === undefined ? {} : { apiKey };
      return createOpenAICompatible({ ...server, fetch: boundedFetch(), ...key });
    }
    return {
      id: "openai-compatible",
      label: "OpenAI-compatible server",
      defaultModel: model?.value ?? "",
      // A server in the operator's own network counts as free, any other as paid.
      paid: url === undefined || !isLocalUrl(url),
      // No model is available on every server, so the provider is chosen by default only when both are set (LLM-014).
      credential: model && settings.credential("baseURL"),
      setup: url
        ? "set LLM_MODEL to a model of the server at LLM_BASE_URL"
        : "set LLM_BASE_URL and LLM_MODEL for any OpenAI-compatible server",
      languageModel: async (modelId) => (await client()).chatModel(modelId),
      listModels: async () => listProviderModels({ baseURL: baseURL(), apiKey }),
      defaultEmbeddingModel: "",
      embeddingModel: async (modelId) => (await client()).embeddingModel(modelId),
    };
  },
});
