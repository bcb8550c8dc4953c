import type { OpenClawConfiguration } from "@openclaw/configuration";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type {
  WebSearchProvider,
  WebSearchRequest,
  WebSearchResult,
} from "@openclaw/plugin-sdk/plugin-entry";

/** Results of every web search, or a function of the search. */
export type SearchScript =
  | readonly WebSearchResult[]
  | ((
      request: WebSearchRequest,
    ) => readonly WebSearchResult[] | Promise<readonly WebSearchResult[]>);

const PROVIDER_ID = "scripted";

/**
 * Creates a plugin with the web search provider `scripted`.
 * @param script - results of its searches
 */
export function scriptedSearch(script: SearchScript): PluginDefinition {
  const provider: WebSearchProvider = {
    id: PROVIDER_ID,
    label: "Scripted search",
    search: async (request) => (typeof script === "function" ? script(request) : script),
  };
  return {
    id: "scripted-search",
    register: (api) => api.registerWebSearchProvider(provider),
  };
}

/**
 * Returns a configuration that selects the scripted provider, unless it selects another.
 * @param config - configuration of the test
 */
export function withScriptedSearch(config: OpenClawConfiguration = {}): OpenClawConfiguration {
  const { tools = {} } = config;
  const webSearch = { provider: PROVIDER_ID, ...tools.webSearch };
  return { ...config, tools: { ...tools, webSearch } };
}
