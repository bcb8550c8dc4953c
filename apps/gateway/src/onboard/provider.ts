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
  /** Path of the URL in the configuration of the plugin. */
  readonly urlPath: readonly string[];
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
    urlPath: ["baseURL"],
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
    urlPath: ["baseURL"],
    listRequest: (baseURL, apiKey) => ({
      url: `${trimmed(baseURL).replace(/\/v1$/, "")}/v1/models`,
      headers: { "x-api-key": apiKey ?? "", "anthropic-version": "2023-06-01" },
    }),
  },
  ollama: {
    label: "Ollama on this or another machine",
    plugin: "openai-compatible",
    defaultModel: "llama3",
    variables: { baseURL: "OLLAMA_BASE_URL", model: "OLLAMA_MODEL" },
    defaultURL: "http://localhost:11434",
    asksURL: true,
    urlPath: ["ollama", "baseURL"],
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
    urlPath: ["baseURL"],
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
    urlPath: [],
    listRequest: (baseURL) => ({ url: baseURL, headers: {} }),
  },
} as const satisfies Record<string, OfferedProvider>;

/** ID of an offered provider. */
export type ProviderId = keyof typeof PROVIDERS;

/** IDs of the offered providers. */
export const PROVIDER_IDS: readonly ProviderId[] = [
  ...(["openai", "anthropic", "ollama", "openai-compatible", "demo"] as const),
];

/**
 * Returns a provider.
 * @param id - ID of the provider
 */
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
