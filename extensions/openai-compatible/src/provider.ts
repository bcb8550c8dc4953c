import { defineProvider, type ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import { ServerAddressMissingError } from "./errors.js";
import { isLocalAddress } from "./local-address.js";
import { listServerModels } from "./model-list.js";
import type { ServerSettings } from "./settings.js";

/**
 * Makes the provider of one server that speaks the OpenAI chat API. A server in one's own network
 * counts as free, any other as paid.
 * @param settings - id, address, key and default model
 */
export function serverProvider(settings: ServerSettings): ModelProvider {
  const { id, label, baseURL, apiKey, model, credentialSource, setup } = settings;
  return defineProvider({
    id,
    label,
    defaultModel: model,
    paid: baseURL === undefined || !isLocalAddress(baseURL),
    setup,
    credential: credentialSource === undefined ? undefined : { source: credentialSource },
    async languageModel(modelId) {
      if (baseURL === undefined) throw new ServerAddressMissingError();
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const key = apiKey === undefined ? {} : { apiKey };
      return createOpenAICompatible({ name: id, baseURL, includeUsage: true, ...key }).chatModel(
        modelId,
      );
    },
    async listModels() {
      if (baseURL === undefined) throw new ServerAddressMissingError();
      return listServerModels(baseURL, apiKey);
    },
  });
}
