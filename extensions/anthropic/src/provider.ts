import { defineProvider, type ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import { AnthropicKeyMissingError } from "./errors.js";
import type { AnthropicSettings } from "./settings.js";

/**
 * Makes the provider `anthropic`, which speaks the Messages API.
 * @param settings - key, address and default model
 */
export function anthropicProvider(settings: AnthropicSettings): ModelProvider {
  const { apiKey, apiKeySource, baseURL, model } = settings;
  return defineProvider({
    id: "anthropic",
    label: "Anthropic",
    defaultModel: model,
    paid: true,
    setup: "set ANTHROPIC_API_KEY",
    credential: apiKeySource === undefined ? undefined : { source: apiKeySource },
    async languageModel(modelId) {
      if (apiKey === undefined) throw new AnthropicKeyMissingError();
      const { createAnthropic } = await loadLibrary();
      return createAnthropic({ apiKey, baseURL }).languageModel(modelId);
    },
  });
}

/** The library reads this variable as it is loaded, and throws when it is set but empty. */
function loadLibrary() {
  if (process.env.ANTHROPIC_BASE_URL?.trim() === "") delete process.env.ANTHROPIC_BASE_URL;
  return import("@ai-sdk/anthropic");
}
