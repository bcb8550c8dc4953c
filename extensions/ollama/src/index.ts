import {
  boundedFetch,
  defineModelProviderPlugin,
  isLocalUrl,
  listProviderModels,
} from "@openclaw/plugin-sdk/provider-entry";

const DEFAULT_MODEL = "llama3";
const DEFAULT_EMBEDDING_MODEL = "nomic-embed-text";
const DEFAULT_URL = "http://localhost:11434";

export default defineModelProviderPlugin({
  id: "ollama",
  config: {
    baseURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description: `URL of Ollama; default: OLLAMA_BASE_URL, otherwise ${DEFAULT_URL}.`,
    },
    model: {
      type: "string",
      description: `Model that Ollama has pulled; default: OLLAMA_MODEL, otherwise ${DEFAULT_MODEL}.`,
    },
  },
  env: { baseURL: "OLLAMA_BASE_URL", model: "OLLAMA_MODEL" },
  create(settings) {
    const url = settings.httpUrl("baseURL", { example: DEFAULT_URL }) ?? DEFAULT_URL;
    const baseURL = withVersion(url);
    async function client() {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        name: "ollama",
        baseURL,
        includeUsage: true,
        // Without it, the schema of a requested reply would be left out silently.
        supportsStructuredOutputs: true,
        fetch: boundedFetch(),
      });
    }
    return {
      id: "ollama",
      label: "Ollama",
      defaultModel: settings.find("model")?.value ?? DEFAULT_MODEL,
      paid: !isLocalUrl(url),
      setup: "start Ollama and set OLLAMA_MODEL, and OLLAMA_BASE_URL if it runs elsewhere",
      // Ollama needs no key, so a configured URL or model makes it a candidate (LLM-013).
      credential: settings.credential("baseURL", "model"),
      languageModel: async (modelId) => (await client()).chatModel(modelId),
      listModels: () => listProviderModels({ baseURL }),
      defaultEmbeddingModel: DEFAULT_EMBEDDING_MODEL,
      embeddingModel: async (modelId) => (await client()).embeddingModel(modelId),
    };
  },
});

/** Adds the version: Ollama's own tools use the URL without it, its OpenAI-compatible API has it. */
function withVersion(url: string): string {
  return new URL(url).pathname === "/" ? new URL("/v1", url).href : url;
}
