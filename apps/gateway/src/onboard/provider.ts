/** Provider that the setup offers. */
export interface OfferedProvider {
  readonly label: string;
  /** Plugin whose configuration has key and URL; the demo model has none. */
  readonly plugin?: string | undefined;
  readonly defaultModel: string;
  /** Name of the stored key; absent for providers that need none. */
  readonly secret?: string | undefined;
  /** Variables that give key, URL and model. */
  readonly variables: {
    readonly apiKey?: string;
    readonly baseURL?: string;
    readonly model?: string;
  };
  readonly defaultURL?: string | undefined;
  /** True when the URL is the operator's own, so that the setup asks for it instead of a key. */
  readonly asksURL: boolean;
  /** Statuses with which the API rejects a key; default 401 and 403. */
  readonly wrongKeyStatuses?: readonly number[];
  /**
   * Returns the request that lists models, the cheapest use of a key.
   * @param baseURL - URL of the API
   * @param apiKey - key, if any
   */
  listRequest(
    baseURL: string,
    apiKey: string | undefined,
  ): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

const bearer = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

const trimmed = (url: string) => url.replace(/\/+$/, "");

/** Providers by ID, in the order in which they are offered. */
export const PROVIDERS = {
  openai: {
    label: "OpenAI",
    plugin: "openai",
    defaultModel: "gpt-4o",
    secret: "OPENAI_API_KEY",
    variables: { apiKey: "OPENAI_API_KEY", baseURL: "OPENAI_BASE_URL", model: "OPENAI_MODEL" },
    defaultURL: "https://api.openai.com/v1",
    asksURL: false,
    listRequest: (baseURL, apiKey) => ({
      url: `${trimmed(baseURL)}/models`,
      headers: bearer(apiKey),
    }),
  },
  anthropic: {
    label: "Anthropic",
    plugin: "anthropic",
    defaultModel: "claude-sonnet-4-20250514",
    secret: "ANTHROPIC_API_KEY",
    variables: {
      apiKey: "ANTHROPIC_API_KEY",
      baseURL: "ANTHROPIC_BASE_URL",
      model: "ANTHROPIC_MODEL",
    },
    defaultURL: "https://api.anthropic.com",
    asksURL: false,
    listRequest: (baseURL, apiKey) => ({
      url: `${trimmed(baseURL).replace(/\/v1$/, "")}/v1/models`,
      headers: { "x-api-key": apiKey ?? "", "anthropic-version": "2023-06-01" },
    }),
  },
  google: {
    label: "Google Gemini",
    plugin: "google",
    defaultModel: "gemini-3.5-flash",
    secret: "GEMINI_API_KEY",
    variables: { apiKey: "GEMINI_API_KEY", baseURL: "GEMINI_BASE_URL", model: "GEMINI_MODEL" },
    defaultURL: "https://generativelanguage.googleapis.com/v1beta",
    asksURL: false,
    wrongKeyStatuses: [400, 401, 403],
    listRequest: (baseURL, apiKey) => ({
      url: `${trimmed(baseURL)}/models?pageSize=1000`,
      headers: { "x-goog-api-key": apiKey ?? "" },
    }),
  },
  openrouter: {
    label: "OpenRouter",
    plugin: "openrouter",
    defaultModel: "openrouter/auto",
    secret: "OPENROUTER_API_KEY",
    variables: {
      apiKey: "OPENROUTER_API_KEY",
      baseURL: "OPENROUTER_BASE_URL",
      model: "OPENROUTER_MODEL",
    },
    defaultURL: "https://openrouter.ai/api/v1",
    asksURL: false,
    // The list of models needs no key, so that it would not test one.
    listRequest: (baseURL, apiKey) => ({
      url: `${trimmed(baseURL)}/key`,
      headers: bearer(apiKey),
    }),
  },
  nearai: {
    label: "NEAR AI",
    plugin: "nearai",
    defaultModel: "zai-org/GLM-5.1-FP8",
    secret: "NEARAI_API_KEY",
    variables: { apiKey: "NEARAI_API_KEY", baseURL: "NEARAI_BASE_URL", model: "NEARAI_MODEL" },
    defaultURL: "https://cloud-api.near.ai",
    asksURL: false,
    listRequest: (baseURL, apiKey) => ({
      url: `${trimmed(baseURL).replace(/\/v1$/, "")}/v1/models`,
      headers: bearer(apiKey),
    }),
  },
  ollama: {
    label: "Ollama on this or another machine",
    plugin: "ollama",
    defaultModel: "llama3",
    variables: { baseURL: "OLLAMA_BASE_URL", model: "OLLAMA_MODEL" },
    defaultURL: "http://localhost:11434",
    asksURL: true,
    listRequest: (baseURL) => ({
      url: `${trimmed(baseURL).replace(/\/v1$/, "")}/v1/models`,
      headers: {},
    }),
  },
  "openai-compatible": {
    label: "Another server with the OpenAI API",
    plugin: "openai-compatible",
    defaultModel: "",
    secret: "LLM_API_KEY",
    variables: { apiKey: "LLM_API_KEY", baseURL: "LLM_BASE_URL", model: "LLM_MODEL" },
    defaultURL: "http://localhost:1234/v1",
    asksURL: true,
    listRequest: (baseURL, apiKey) => ({
      url: `${trimmed(baseURL)}/models`,
      headers: bearer(apiKey),
    }),
  },
  demo: {
    label: "Demo model: scripted replies, no key, no network",
    defaultModel: "echo",
    variables: {},
    asksURL: false,
    listRequest: (baseURL) => ({ url: baseURL, headers: {} }),
  },
} as const satisfies Record<string, OfferedProvider>;

/** ID of an offered provider. */
export type ProviderId = keyof typeof PROVIDERS;

/** IDs of the offered providers. */
export const PROVIDER_IDS: readonly ProviderId[] = [
  ...(["openai", "anthropic", "google", "openrouter", "nearai", "ollama"] as const),
  ...(["openai-compatible", "demo"] as const),
];

/** Returns a provider. */
export function providerOf(id: ProviderId): OfferedProvider {
  return PROVIDERS[id];
}

/**
 * Returns the provider that the environment has a key or URL for, else the demo model.
 * @param environment - environment variables of the command
 */
export function defaultProvider(environment: NodeJS.ProcessEnv): ProviderId {
  const found = PROVIDER_IDS.find((id) => {
    const { apiKey, baseURL } = providerOf(id).variables;
    const decisive = providerOf(id).asksURL ? baseURL : apiKey;
    return decisive !== undefined && Boolean(environment[decisive]);
  });
  return found ?? "demo";
}
