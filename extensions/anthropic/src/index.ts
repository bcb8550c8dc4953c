import { boundedFetch, defineModelProviderPlugin } from "@openclaw/plugin-sdk/provider-entry";

export default defineModelProviderPlugin({
  id: "anthropic",
  config: {
    apiKey: { type: "string", description: "API key; default: the variable ANTHROPIC_API_KEY." },
    baseURL: {
      type: "string",
      description: "Address of the API; default: ANTHROPIC_BASE_URL, else Anthropic's own.",
    },
    model: {
      type: "string",
      description:
        "Model when only the provider is named; default: ANTHROPIC_MODEL, else claude-sonnet-4-20250514.",
    },
  },
  env: {
    apiKey: "ANTHROPIC_API_KEY",
    baseURL: "ANTHROPIC_BASE_URL",
    model: "ANTHROPIC_MODEL",
  },
  create(settings) {
    const example = "https://api.anthropic.com";
    const configured = settings.httpUrl("baseURL", { code: "ANTHROPIC_ADDRESS_INVALID", example });
    const baseURL = withVersion(configured ?? example);
    return {
      id: "anthropic",
      label: "Anthropic",
      defaultModel: settings.find("model")?.value ?? "claude-sonnet-4-20250514",
      paid: true,
      setup: "set ANTHROPIC_API_KEY",
      credential: settings.credential("apiKey"),
      async languageModel(modelId) {
        const missing = { label: "API key", code: "ANTHROPIC_KEY_MISSING" };
        const apiKey = settings.require("apiKey", missing);
        const { createAnthropic } = await loadLibrary();
        return createAnthropic({ apiKey, baseURL, fetch: boundedFetch() }).languageModel(modelId);
      },
    };
  },
});

/** Anthropic's own tools take the address without the version, the AI SDK with it; both work. */
function withVersion(address: string): string {
  return new URL(address).pathname === "/" ? new URL("/v1", address).href : address;
}

/** The library reads this variable as it is loaded, and throws when it is set but empty. */
function loadLibrary() {
  if (process.env.ANTHROPIC_BASE_URL?.trim() === "") delete process.env.ANTHROPIC_BASE_URL;
  return import("@ai-sdk/anthropic");
}
