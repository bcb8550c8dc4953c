import type { WebSearchProvider } from "@openclaw/plugin-sdk/plugin-entry";
import { expect, it } from "vitest";
import { selectedWebSearch } from "../../src/host/web-search.js";

function select(provider: string | undefined, ...providers: readonly WebSearchProvider[]) {
  const tools = { webSearch: provider === undefined ? {} : { provider } };
  const webSearchProviders = providers.map((each) => ({
    ...{ pluginId: each.id, source: "", provider: each },
  }));
  const selected = selectedWebSearch({ value: { tools } }, { webSearchProviders });
  return "provider" in selected ? selected.provider.id : selected.unavailable;
}

const search = async () => [];

it("[TURN-066] selects the configured provider, and says why there is none", () => {
  const searxng = { id: "searxng", search };
  expect(select("searxng", searxng)).toBe("searxng");
  expect(select(undefined, searxng)).toBe("tools.webSearch.provider is not set; set it to searxng");
  expect(select(undefined)).toContain("no plugin registers one");
  expect(select("searxgn", searxng)).toContain('did you mean "searxng"');
  expect(select("searxng")).toContain("enable its plugin");
  const unset = { id: "searxng", search, missing: () => "set SEARXNG_URL" };
  expect(select("searxng", unset)).toBe('the provider "searxng" is not set up; set SEARXNG_URL');
});
