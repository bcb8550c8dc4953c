import {
  boundedFetch,
  defineModelProviderPlugin,
  listProviderModels,
} from "@openclaw/plugin-sdk/provider-entry";

const DEFAULT_MODEL = "gemini-3.5-flash";
/** Embedding models; the first one is the default. */
const EMBEDDING_MODELS = ["gemini-embedding-001"] as const;
/** Length of the vectors, a quarter of the default of the API. */
const EMBEDDING_DIMENSIONS = 768;
const GEMINI_URL = "https://generativelanguage.googleapis.com/v1beta";

export default defineModelProviderPlugin({
  id: "google",
  config: {
    apiKey: { type: "string", description: "API key; default: the variable GEMINI_API_KEY." },
    baseURL: {
      type: "string",
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
    const requireKey = () => settings.require("apiKey", { label: "API key" });
    return {
      id: "google",
      label: "Google Gemini",
      defaultModel: settings.find("model")?.value ?? DEFAULT_MODEL,
      paid: true,
      setup: "set GEMINI_API_KEY",
      credential: settings.credential("apiKey"),
      async languageModel(modelId) {
        const apiKey = requireKey();
        const { createGoogle } = await import("@ai-sdk/google");
        return withThoughts(
          createGoogle({ apiKey, baseURL, fetch: boundedFetch() }).languageModel(modelId),
        );
      },
      defaultEmbeddingModel: EMBEDDING_MODELS[0],
      listEmbeddingModels: () => EMBEDDING_MODELS,
      async embeddingModel(modelId) {
        const apiKey = requireKey();
        const { createGoogle } = await import("@ai-sdk/google");
        const google = createGoogle({ apiKey, baseURL, fetch: boundedFetch() });
        return withDimensions(google.embeddingModel(modelId));
      },
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
    };
  },
});

type GoogleEmbeddings = ReturnType<
  ReturnType<typeof import("@ai-sdk/google").createGoogle>["embeddingModel"]
>;

/** Asks for vectors of the usual length, unless a request names another one. */
function withDimensions(model: GoogleEmbeddings): GoogleEmbeddings {
  const doEmbed = model.doEmbed.bind(model);
  model.doEmbed = ({ dimensions = EMBEDDING_DIMENSIONS, ...options }) =>
    doEmbed({ ...options, dimensions });
  return model;
}

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
