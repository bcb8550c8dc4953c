import type { OpenAiConfig } from "./config.js";
import { OpenAiAddressInvalidError } from "./errors.js";

/** Everything the provider needs, with its defaults filled in. */
export interface OpenAiSettings {
  apiKey: string | undefined;
  /** The variable or config key the API key came from. */
  apiKeySource: string | undefined;
  baseURL: string;
  model: string;
  api: "responses" | "chat";
}

const OPENAI_URL = "https://api.openai.com/v1";
const CONFIG = "plugins.entries.openai.config";

/**
 * Reads the settings: config wins over the environment, and blank values count as unset (LLM-011).
 * @param config - the plugin's configuration
 * @param environment - the process's variables
 * @throws OpenAiAddressInvalidError when the base URL is no HTTP address
 */
export function openAiSettings(
  config: OpenAiConfig,
  environment: Readonly<Record<string, string | undefined>>,
): OpenAiSettings {
  const setting = (key: "apiKey" | "baseURL" | "model", variable: string) => {
    const configured = config[key]?.trim();
    if (configured) return { value: configured, source: `${CONFIG}.${key}` };
    const value = environment[variable]?.trim();
    return value ? { value, source: variable } : undefined;
  };
  const apiKey = setting("apiKey", "OPENAI_API_KEY");
  const address = setting("baseURL", "OPENAI_BASE_URL") ?? { value: OPENAI_URL, source: "default" };
  if (!/^https?:\/\//i.test(address.value) || !URL.canParse(address.value)) {
    throw new OpenAiAddressInvalidError(address.source, address.value);
  }
  return {
    apiKey: apiKey?.value,
    apiKeySource: apiKey?.source,
    baseURL: address.value,
    model: setting("model", "OPENAI_MODEL")?.value ?? "gpt-4o",
    api: config.api ?? (isOpenAi(address.value) ? "responses" : "chat"),
  };
}

function isOpenAi(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === "api.openai.com" || hostname.endsWith(".api.openai.com");
}
