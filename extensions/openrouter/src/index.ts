import {
  boundedFetch,
  defineModelProviderPlugin,
  listProviderModels,
} from "@openclaw/plugin-sdk/provider-entry";

/** Lets OpenRouter choose a model for each request. */
const DEFAULT_MODEL = "openrouter/auto";
const OPENROUTER_URL = "https://openrouter.ai/api/v1";

export default defineModelProviderPlugin({
  id: "openrouter",
  config: {
    apiKey: { type: "string", description: "API key; default: the variable OPENROUTER_API_KEY." },
    baseURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description: `URL of the API, with /v1; default: OPENROUTER_BASE_URL, otherwise ${OPENROUTER_URL}.`,
    },
    model: {
      type: "string",
      description: `Model used when only the provider is named; default: OPENROUTER_MODEL, otherwise ${DEFAULT_MODEL}.`,
    },
    referer: {
      type: "string",
      description:
        "URL of your application, which OpenRouter shows in its statistics; default: OPENROUTER_REFERER, otherwise none is sent.",
    },
  },
  env: {
    apiKey: "OPENROUTER_API_KEY",
    baseURL: "OPENROUTER_BASE_URL",
    model: "OPENROUTER_MODEL",
    referer: "OPENROUTER_REFERER",
  },
  create(settings) {
    const baseURL = settings.httpUrl("baseURL", { example: OPENROUTER_URL }) ?? OPENROUTER_URL;
    const referer = settings.headerValue("referer");
    const headers: Record<string, string> =
      referer === undefined ? {} : { "HTTP-Referer": referer, "X-Title": "OpenClaw" };
    settings.headerValue("apiKey");
    const requireKey = () => settings.require("apiKey", { label: "API key" });
    return {
      id: "openrouter",
      label: "OpenRouter",
      defaultModel: settings.find("model")?.value ?? DEFAULT_MODEL,
      paid: true,
      setup: "set OPENROUTER_API_KEY",
      credential: settings.credential("apiKey"),
      async languageModel(modelId) {
        const apiKey = requireKey();
        const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
        return createOpenAICompatible({
          name: "openrouter",
          apiKey,
          baseURL,
          headers,
          includeUsage: true,
          supportsStructuredOutputs: true,
          fetch: boundedFetch(),
        }).chatModel(modelId);
      },
      listModels: async () => listProviderModels({ baseURL, headers, apiKey: requireKey() }),
    };
  },
});
