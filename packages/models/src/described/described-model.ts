import { boundedFetch, type DescribedModels } from "@openclaw/plugin-sdk/provider-entry";
import { UnsupportedDescribedApiError } from "../errors.js";

/** Name of the chat completions API of OpenAI in descriptions. */
const CHAT_COMPLETIONS = "openai-completions";

/**
 * Creates a model that a plugin describes by the URL and the API of its server.
 * @param described - URL, API, key and headers
 * @param modelId - id of the model on the server
 * @throws UnsupportedDescribedApiError for an API that the host does not speak
 */
export async function createDescribedModel(described: DescribedModels, modelId: string) {
  const { api = CHAT_COMPLETIONS, baseUrl, apiKey, headers } = described;
  if (api !== CHAT_COMPLETIONS) throw new UnsupportedDescribedApiError(api, modelId);
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: new URL(baseUrl).host,
    baseURL: baseUrl,
    includeUsage: true,
    fetch: boundedFetch(),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
  });
  return provider.chatModel(modelId);
}
