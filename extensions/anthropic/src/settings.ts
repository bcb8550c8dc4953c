import type { AnthropicConfig } from "./config.js";
import { AnthropicAddressInvalidError } from "./errors.js";

/** Everything the provider needs, with its defaults filled in. */
export interface AnthropicSettings {
  apiKey: string | undefined;
  /** The variable or config key the API key came from. */
  apiKeySource: string | undefined;
  /** With the version, `/v1`. */
  baseURL: string;
  model: string;
}

const CONFIG = "plugins.entries.anthropic.config";

/**
 * Reads the settings: config wins over the environment, and blank values count as unset (LLM-011).
 * @param config - the plugin's configuration
 * @param environment - the process's variables
 * @throws AnthropicAddressInvalidError when the base URL is no HTTP address
 */
export function anthropicSettings(
  config: AnthropicConfig,
  environment: Readonly<Record<string, string | undefined>>,
): AnthropicSettings {
  const setting = (key: keyof AnthropicConfig, variable: string) => {
    const configured = config[key]?.trim();
    if (configured) return { value: configured, source: `${CONFIG}.${key}` };
    const value = environment[variable]?.trim();
    return value ? { value, source: variable } : undefined;
  };
  const apiKey = setting("apiKey", "ANTHROPIC_API_KEY");
  const address = setting("baseURL", "ANTHROPIC_BASE_URL");
  return {
    apiKey: apiKey?.value,
    apiKeySource: apiKey?.source,
    baseURL: versioned(address?.value ?? "https://api.anthropic.com", address?.source ?? "default"),
    model: setting("model", "ANTHROPIC_MODEL")?.value ?? "claude-sonnet-4-20250514",
  };
}

/** Anthropic's own tools take the address without the version, the AI SDK with it; both work. */
function versioned(address: string, source: string): string {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    throw new AnthropicAddressInvalidError(source, address);
  }
  return new URL(address).pathname === "/" ? new URL("/v1", address).href : address;
}
