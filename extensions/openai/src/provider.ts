import type { OpenAIProvider } from "@ai-sdk/openai";
import { defineProvider, type ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import { OpenAiKeyMissingError } from "./errors.js";
import type { OpenAiSettings } from "./settings.js";

type ResponsesModel = ReturnType<OpenAIProvider["responses"]>;
type CallOptions = Parameters<ResponsesModel["doStream"]>[0];

/**
 * Makes the provider `openai`. Other servers that call themselves OpenAI-compatible rarely speak
 * the Responses API, so it is used at OpenAI's own address only, unless `api` says otherwise.
 * @param settings - key, address, default model and API
 */
export function openAiProvider(settings: OpenAiSettings): ModelProvider {
  const { apiKey, apiKeySource, baseURL, model, api } = settings;
  return defineProvider({
    id: "openai",
    label: "OpenAI",
    defaultModel: model,
    paid: true,
    setup: "set OPENAI_API_KEY",
    credential: apiKeySource === undefined ? undefined : { source: apiKeySource },
    async languageModel(modelId) {
      if (apiKey === undefined) throw new OpenAiKeyMissingError();
      const { createOpenAI } = await loadLibrary();
      const openai = createOpenAI({ apiKey, baseURL });
      return api === "chat" ? openai.chat(modelId) : withoutStorage(openai.responses(modelId));
    },
  });
}

/** The library reads this variable as it is loaded, and throws when it is set but empty. */
function loadLibrary() {
  if (process.env.OPENAI_BASE_URL?.trim() === "") delete process.env.OPENAI_BASE_URL;
  return import("@ai-sdk/openai");
}

/** The host keeps the conversation itself; the Responses API would keep a second copy by default. */
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
