import {
  boundedFetch,
  defineModelProviderPlugin,
  type ModelProvider,
} from "@openclaw/plugin-sdk/provider-entry";
import { isLocalAddress } from "./local-address.js";
import { listServerModels } from "./model-list.js";

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
      description: "URL of the server, up to /v1; default: the variable LLM_BASE_URL.",
    },
    apiKey: {
      type: "string",
      description: "API key, if the server needs one; default: LLM_API_KEY.",
    },
    model: { type: "string", description: "Model of the server; default: LLM_MODEL." },
    ollama: {
      type: "object",
      additionalProperties: false,
      properties: {
        baseURL: {
          type: "string",
          description: "URL of Ollama; default: OLLAMA_BASE_URL, otherwise http://localhost:11434.",
        },
        model: {
          type: "string",
          description: "Model that Ollama has pulled; default: OLLAMA_MODEL, otherwise llama3.",
        },
      },
    },
  },
  env: {
    baseURL: "LLM_BASE_URL",
    apiKey: "LLM_API_KEY",
    model: "LLM_MODEL",
    "ollama.baseURL": "OLLAMA_BASE_URL",
    "ollama.model": "OLLAMA_MODEL",
  },
  create(settings) {
    const url = settings.httpUrl("baseURL", ADDRESS_INVALID);
    const model = settings.find("model");
    const ollama = settings.httpUrl("ollama.baseURL", ADDRESS_INVALID) ?? "http://localhost:11434";
    return [
      serverProvider({
        id: "openai-compatible",
        label: "OpenAI-compatible server",
        url,
        baseURL: () => settings.require("baseURL", ADDRESS_MISSING),
        apiKey: settings.find("apiKey")?.value,
        defaultModel: model?.value ?? "",
        defaultEmbeddingModel: "",
        // No model is available on every server, so the provider is chosen by default only when
        // both are set (LLM-014).
        credential: model && settings.credential("baseURL"),
        setup: url
          ? "set LLM_MODEL to a model of the server at LLM_BASE_URL"
          : "set LLM_BASE_URL and LLM_MODEL for any OpenAI-compatible server",
      }),
      serverProvider({
        id: "ollama",
        label: "Ollama",
        url: ollama,
        baseURL: () => withVersion(ollama),
        apiKey: undefined,
        defaultModel: settings.find("ollama.model")?.value ?? "llama3",
        defaultEmbeddingModel: "nomic-embed-text",
        // Ollama needs no key, so a configured URL or model makes it a candidate (LLM-013).
        credential: settings.credential("ollama.baseURL", "ollama.model"),
        setup: "start Ollama and set OLLAMA_MODEL, and OLLAMA_BASE_URL if it runs elsewhere",
      }),
    ];
  },
});

/** Server that provides the OpenAI chat API. */
interface Server
  extends Pick<
    ModelProvider,
    "id" | "defaultModel" | "defaultEmbeddingModel" | "setup" | "credential"
  > {
  readonly label: string;
  /** URL; undefined while no server is configured. */
  readonly url: string | undefined;
  /** Returns the URL up to and including `/v1`; throws while no server is configured. */
  readonly baseURL: () => string;
  readonly apiKey: string | undefined;
}

/**
 * Returns a provider for a server; one in the operator's own network counts as free, any other as
 * paid.
 */
function serverProvider({ url, baseURL, apiKey, ...provider }: Server): ModelProvider {
  async function client() {
    const server = {
      name: provider.id,
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
    ...provider,
    paid: url === undefined || !isLocalAddress(url),
    languageModel: async (modelId) => (await client()).chatModel(modelId),
    embeddingModel: async (modelId) => (await client()).embeddingModel(modelId),
    listModels: async () => listServerModels(baseURL(), apiKey),
  };
}

function withVersion(url: string): string {
  return new URL(url).pathname === "/" ? new URL("/v1", url).href : url;
}
