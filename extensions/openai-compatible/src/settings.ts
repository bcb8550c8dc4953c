import type { OpenAiCompatibleConfig } from "./config.js";
import { ServerAddressInvalidError } from "./errors.js";

/** One server that speaks the OpenAI chat API, with its defaults filled in. */
export interface ServerSettings {
  /** The provider's id. */
  id: string;
  label: string;
  /** Up to and with `/v1`; undefined while nobody has named a server. */
  baseURL: string | undefined;
  apiKey: string | undefined;
  /** Empty when none is named. */
  model: string;
  /** The variable or config key that makes the server usable; undefined while something lacks. */
  credentialSource: string | undefined;
  setup: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting {
  value: string;
  source: string;
}

const CONFIG = "plugins.entries.openai-compatible.config";

/**
 * Reads the settings of any OpenAI-compatible server: config wins over the environment, and blank
 * values count as unset. The server is chosen by itself only when its model is named too, since
 * there is no model that every server has (LLM-014).
 * @param config - the plugin's configuration
 * @param environment - the process's variables
 * @throws ServerAddressInvalidError when the base URL is no HTTP address
 */
export function serverSettings(
  config: OpenAiCompatibleConfig,
  environment: Environment,
): ServerSettings {
  const address = setting(config.baseURL, "baseURL", environment, "LLM_BASE_URL");
  const model = setting(config.model, "model", environment, "LLM_MODEL");
  const apiKey = setting(config.apiKey, "apiKey", environment, "LLM_API_KEY");
  return {
    id: "openai-compatible",
    label: "OpenAI-compatible server",
    baseURL: address && httpAddress(address),
    apiKey: apiKey?.value,
    model: model?.value ?? "",
    credentialSource: address && model ? address.source : undefined,
    setup: address
      ? "set LLM_MODEL to a model of the server at LLM_BASE_URL"
      : "set LLM_BASE_URL and LLM_MODEL for any OpenAI-compatible server",
  };
}

/**
 * Reads the settings of Ollama. It needs no key, so naming its address or its model is what makes
 * it a choice (LLM-013).
 * @param config - the plugin's configuration
 * @param environment - the process's variables
 * @throws ServerAddressInvalidError when the base URL is no HTTP address
 */
export function ollamaSettings(
  { ollama = {} }: OpenAiCompatibleConfig,
  environment: Environment,
): ServerSettings {
  const address = setting(ollama.baseURL, "ollama.baseURL", environment, "OLLAMA_BASE_URL");
  const model = setting(ollama.model, "ollama.model", environment, "OLLAMA_MODEL");
  const root = httpAddress(address ?? { value: "http://localhost:11434", source: "default" });
  return {
    id: "ollama",
    label: "Ollama",
    baseURL: new URL(root).pathname === "/" ? new URL("/v1", root).href : root,
    apiKey: undefined,
    model: model?.value ?? "llama3",
    credentialSource: (address ?? model)?.source,
    setup: "start Ollama and set OLLAMA_MODEL, and OLLAMA_BASE_URL if it runs elsewhere",
  };
}

function setting(
  configured: string | undefined,
  key: string,
  environment: Environment,
  variable: string,
): Setting | undefined {
  const fromConfig = configured?.trim();
  if (fromConfig) return { value: fromConfig, source: `${CONFIG}.${key}` };
  const value = environment[variable]?.trim();
  return value ? { value, source: variable } : undefined;
}

function httpAddress({ value, source }: Setting): string {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value;
  throw new ServerAddressInvalidError(source, value);
}
