import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { type SearxngConfig, search } from "./search.js";

export default definePluginEntry<SearxngConfig>({
  id: "searxng",
  name: "SearXNG",
  description: "Web search with a SearXNG server.",
  register(api) {
    const config = api.pluginConfig;
    const baseURL = config.baseURL?.trim() || process.env.SEARXNG_URL?.trim() || undefined;
    const isUsable =
      baseURL !== undefined && /^https?:\/\//i.test(baseURL) && URL.canParse(baseURL);
    api.registerWebSearchProvider({
      id: "searxng",
      label: "SearXNG",
      missing() {
        if (baseURL === undefined) return "set SEARXNG_URL to the URL of a SearXNG server";
        return isUsable ? undefined : "SEARXNG_URL must begin with http:// or https://";
      },
      search: async (request) => search(baseURL ?? "", config, request),
    });
  },
});
