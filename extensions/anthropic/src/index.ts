import {
  boundedFetch,
  defineModelProviderPlugin,
  listProviderModels,
} from "@openclaw/plugin-sdk/provider-entry";
import { withCacheBreakpoints } from "./cache-breakpoints.js";

const DEFAULT_MODEL = "claude-sonnet-4-20250514";

export default defineModelProviderPlugin({
  id: "anthropic",
  config: {
    apiKey: { type: "string", description: "API key; default: the variable ANTHROPIC_API_KEY." },
    baseURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description:
        "URL of the API; default: ANTHROPIC_BASE_URL, otherwise https://api.anthropic.com.",
    },
    model: {
      type: "string",
      description: `Model used when only the provider is named; default: ANTHROPIC_MODEL, otherwise ${DEFAULT_MODEL}.`,
    },
    promptCaching: {
      type: "boolean",
      description:
        "False sends requests without cache breakpoints, for servers that do not accept them; default true.",
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
    settings.headerValue("apiKey");
    const requireKey = () =>
      settings.require("apiKey", { label: "API key", code: "ANTHROPIC_KEY_MISSING" });
    return {
      id: "anthropic",
      label: "Anthropic",
      defaultModel: settings.find("model")?.value ?? DEFAULT_MODEL,
      paid: true,
      setup: "set ANTHROPIC_API_KEY",
      credential: settings.credential("apiKey"),
      async languageModel(modelId) {
        const apiKey = requireKey();
        const { createAnthropic } = await loadLibrary();
        const anthropic = createAnthropic({ apiKey, baseURL, fetch: boundedFetch() });
        const model = anthropic.languageModel(modelId);
        return settings.config.promptCaching === false ? model : withCacheBreakpoints(model);
      },
      async listModels() {
        const headers = { "x-api-key": requireKey(), "anthropic-version": "2023-06-01" };
        return listProviderModels({ baseURL, headers });
      },
    };
  },
});

/**
 * Adds the version, which the AI SDK expects in the URL and Anthropic's own tools do not; both
 * forms work.
 */
function withVersion(url: string): string {
  return new URL(url).pathname === "/" ? new URL("/v1", url).href : url;
}

/** Loads the library, which reads this variable and throws when it is set but empty. */
function loadLibrary() {
  if (process.env.ANTHROPIC_BASE_URL?.trim() === "") delete process.env.ANTHROPIC_BASE_URL;
  return import("@ai-sdk/anthropic");
}
