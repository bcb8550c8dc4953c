import { boundedFetch, type DescribedModels } from "@openclaw/plugin-sdk/provider-entry";
import { UnsupportedDescribedApiError } from "../errors.js";

/** Settings of a server that all APIs have. */
interface ServerSettings {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly headers: Record<string, string>;
  readonly fetch: ReturnType<typeof boundedFetch>;
}

/**
 * Sent by the clients that need a key when a server needs none; without it they would send a key of the environment,
 * which belongs to another server.
 */
const NO_KEY = "none";

/** APIs by their names in descriptions; the first is the default. */
const APIS = {
  "openai-completions": async ({ apiKey, ...server }: ServerSettings, modelId: string) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const name = new URL(server.baseURL).host;
    const key = apiKey === undefined ? {} : { apiKey };
    return createOpenAICompatible({ ...server, ...key, name, includeUsage: true }).chatModel(
      modelId,
    );
  },
  "openai-responses": async ({ apiKey = NO_KEY, ...server }: ServerSettings, modelId: string) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ ...server, apiKey }).responses(modelId);
  },
  "anthropic-messages": async ({ apiKey = NO_KEY, ...server }: ServerSettings, modelId: string) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    // Descriptions name the URL without the version, as the client of Anthropic takes it.
    const baseURL = `${server.baseURL.replace(/(?:\/v1)?\/*$/, "")}/v1`;
    return createAnthropic({ ...server, apiKey, baseURL }).messages(modelId);
  },
} as const;

/** Names of the APIs of described models that the host speaks. */
const DESCRIBED_APIS: readonly string[] = Object.keys(APIS);

/**
 * Creates a model that a plugin describes by the URL and the API of its server.
 * @param described - URL, API, key and headers
 * @param modelId - id of the model on the server
 * @throws UnsupportedDescribedApiError for an API that the host does not speak
 */
export async function createDescribedModel(described: DescribedModels, modelId: string) {
  const { api = "openai-completions", baseUrl, apiKey, headers } = described;
  if (!isKnown(api)) throw new UnsupportedDescribedApiError(api, modelId, DESCRIBED_APIS);
  const server = { baseURL: baseUrl, apiKey, headers: { ...headers }, fetch: boundedFetch() };
  return APIS[api](server, modelId);
}

function isKnown(api: string): api is keyof typeof APIS {
  return Object.hasOwn(APIS, api);
}
