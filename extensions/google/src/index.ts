import {
  boundedFetch,
  defineModelProviderPlugin,
  listProviderModels,
} from "@openclaw/plugin-sdk/provider-entry";
import { shortVectors } from "./short-vectors.js";

const DEFAULT_MODEL = "gemini-3.5-flash";
/** Keywords that the API documents for JSON Schema. */
const TOOL_KEYWORDS = [
  ...["type", "format", "title", "description", "enum", "items", "prefixItems", "minItems"],
  ...["maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties"],
  ...["required", "propertyOrdering"],
] as const;
/** Embedding models; the first one is the default. */
const EMBEDDING_MODELS = ["gemini-embedding-001"] as const;
const GEMINI_URL = "https://generativelanguage.googleapis.com/v1beta";

export default defineModelProviderPlugin({
  id: "google",
  config: {
    apiKey: { type: "string", description: "API key; default: the variable GEMINI_API_KEY." },
    baseURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description: `URL of the API, with its version; default: GEMINI_BASE_URL, otherwise ${GEMINI_URL}.`,
    },
    model: {
      type: "string",
      description: `Model used when only the provider is named; default: GEMINI_MODEL, otherwise ${DEFAULT_MODEL}.`,
    },
  },
  env: { apiKey: "GEMINI_API_KEY", baseURL: "GEMINI_BASE_URL", model: "GEMINI_MODEL" },
  create(settings) {
    const baseURL = settings.httpUrl("baseURL", { example: GEMINI_URL }) ?? GEMINI_URL;
    settings.headerValue("apiKey");
    const requireKey = () => settings.require("apiKey", { label: "API key" });
    async function client() {
      const apiKey = requireKey();
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ apiKey, baseURL, fetch: boundedFetch() });
    }
    return {
      id: "google",
      label: "Google Gemini",
      defaultModel: settings.find("model")?.value ?? DEFAULT_MODEL,
      toolKeywords: TOOL_KEYWORDS,
      paid: true,
      setup: "set GEMINI_API_KEY",
      credential: settings.credential("apiKey"),
      languageModel: async (modelId) => withThoughts((await client()).languageModel(modelId)),
      async listModels() {
        const names = await listProviderModels({
          baseURL,
          headers: { "x-goog-api-key": requireKey() },
          idFields: ["name"],
          accepts: ({ supportedGenerationMethods: methods }) =>
            Array.isArray(methods) && methods.includes("generateContent"),
        });
        return names.map((name) => name.replace(/^models\//, ""));
      },
      defaultEmbeddingModel: EMBEDDING_MODELS[0],
      listEmbeddingModels: () => EMBEDDING_MODELS,
      embeddingModel: async (modelId) => shortVectors((await client()).embeddingModel(modelId)),
    };
  },
});

type GoogleModel = ReturnType<
  ReturnType<typeof import("@ai-sdk/google").createGoogle>["languageModel"]
>;
type CallOptions = Parameters<GoogleModel["doStream"]>[0];

/** Asks for summaries of the thoughts when a request sets a reasoning effort; the API leaves them out by default. */
function withThoughts(model: GoogleModel): GoogleModel {
  const asking = (options: CallOptions): CallOptions =>
    options.reasoning === undefined || options.reasoning === "none"
      ? options
      : {
          ...options,
          providerOptions: {
            ...options.providerOptions,
            google: {
              thinkingConfig: { includeThoughts: true },
              ...options.providerOptions?.google,
            },
          },
        };
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (options) => model.doGenerate(asking(options)),
    doStream: (options) => model.doStream(asking(options)),
  };
}
