import type { OpenAIProvider } from "@ai-sdk/openai";
import {
  boundedFetch,
  defineModelProviderPlugin,
  listProviderModels,
} from "@openclaw/plugin-sdk/provider-entry";

const DEFAULT_MODEL = "gpt-4o";
const OPENAI_URL = "https://api.openai.com/v1";
/** Embedding models, with 1536, 3072 and 1536 dimensions; the first one is the default. */
const EMBEDDING_MODELS = [
  "text-embedding-3-small",
  "text-embedding-3-large",
  "text-embedding-ada-002",
] as const;

export default defineModelProviderPlugin({
  id: "openai",
  config: {
    apiKey: { type: "string", description: "API key; default: the variable OPENAI_API_KEY." },
    baseURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description:
        "URL of the API, with /v1; default: OPENAI_BASE_URL, otherwise https://api.openai.com/v1.",
    },
    model: {
      type: "string",
      description: `Model used when only the provider is named; default: OPENAI_MODEL, otherwise ${DEFAULT_MODEL}.`,
    },
    api: {
      enum: ["responses", "chat"],
      description: "API to use; default: responses for OpenAI's own URLs, otherwise chat.",
    },
  },
  env: { apiKey: "OPENAI_API_KEY", baseURL: "OPENAI_BASE_URL", model: "OPENAI_MODEL" },
  create(settings) {
    const invalid = { code: "OPENAI_ADDRESS_INVALID", example: OPENAI_URL };
    const baseURL = settings.httpUrl("baseURL", invalid) ?? OPENAI_URL;
    // Other servers that call themselves OpenAI-compatible rarely support the Responses API.
    const api = settings.config.api ?? (isOpenAi(baseURL) ? "responses" : "chat");
    settings.headerValue("apiKey");
    const requireKey = () =>
      settings.require("apiKey", { label: "API key", code: "OPENAI_KEY_MISSING" });
    async function client(): Promise<OpenAIProvider> {
      const apiKey = requireKey();
      const { createOpenAI } = await loadLibrary();
      return createOpenAI({ apiKey, baseURL, fetch: boundedFetch() });
    }
    return {
      id: "openai",
      label: "OpenAI",
      defaultModel: settings.find("model")?.value ?? DEFAULT_MODEL,
      paid: true,
      setup: "set OPENAI_API_KEY",
      credential: settings.credential("apiKey"),
      async languageModel(modelId) {
        const openai = await client();
        return api === "chat" ? openai.chat(modelId) : withoutStorage(openai.responses(modelId));
      },
      listModels: async () => listProviderModels({ baseURL, apiKey: requireKey() }),
      defaultEmbeddingModel: EMBEDDING_MODELS[0],
      listEmbeddingModels: () => EMBEDDING_MODELS,
      embeddingModel: async (modelId) => (await client()).embeddingModel(modelId),
    };
  },
});

function isOpenAi(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "api.openai.com" || hostname.endsWith(".api.openai.com");
}

/** Loads the library, which reads this variable and throws when it is set but empty. */
function loadLibrary() {
  if (process.env.OPENAI_BASE_URL?.trim() === "") delete process.env.OPENAI_BASE_URL;
  return import("@ai-sdk/openai");
}

type ResponsesModel = ReturnType<OpenAIProvider["responses"]>;
type CallOptions = Parameters<ResponsesModel["doStream"]>[0];

/**
 * Disables the storage of responses; the host stores the conversation, and the API would keep a
 * second copy by default.
 */
function withoutStorage(model: ResponsesModel): ResponsesModel {
  const notStored = (options: CallOptions): CallOptions => ({
    ...options,
    providerOptions: {
      ...options.providerOptions,
      openai: { store: false, ...options.providerOptions?.openai },
    },
  });
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (options) => model.doGenerate(notStored(options)),
    doStream: (options) => model.doStream(notStored(options)),
  };
}
