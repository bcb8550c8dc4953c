import type { OpenAIProvider } from "@ai-sdk/openai";
import {
  boundedFetch,
  defineModelProviderPlugin,
  listProviderModels,
} from "@openclaw/plugin-sdk/provider-entry";

const DEFAULT_MODEL = "gpt-4o";
const OPENAI_URL = "https://api.openai.com/v1";

export default defineModelProviderPlugin({
  id: "openai",
  config: {
    apiKey: { type: "string", description: "API key; default: the variable OPENAI_API_KEY." },
    baseURL: {
      type: "string",
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
    const requireKey = () =>
      settings.require("apiKey", { label: "API key", code: "OPENAI_KEY_MISSING" });
    return {
      id: "openai",
      label: "OpenAI",
      defaultModel: settings.find("model")?.value ?? DEFAULT_MODEL,
      paid: true,
      setup: "set OPENAI_API_KEY",
      credential: settings.credential("apiKey"),
      async languageModel(modelId) {
        const apiKey = requireKey();
        const { createOpenAI } = await loadLibrary();
        const openai = createOpenAI({ apiKey, baseURL, fetch: boundedFetch() });
        return api === "chat" ? openai.chat(modelId) : withoutStorage(openai.responses(modelId));
      },
      listModels: async () => listProviderModels({ baseURL, apiKey: requireKey() }),
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
