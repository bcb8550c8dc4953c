import type { LoadedConfiguration } from "@openclaw/configuration";
import { withSuggestion } from "@openclaw/foundation";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { WebSearchProvider } from "@openclaw/plugin-sdk/plugin-entry";

/** Provider of `web_search`, or the reason why the tool is not offered. */
export type SelectedWebSearch =
  | { readonly provider: WebSearchProvider }
  | { readonly unavailable: string };

/**
 * Returns the provider that `tools.webSearch.provider` selects (TURN-066).
 * @param generation - plugins whose providers exist
 */
export function selectedWebSearch(
  { value }: Pick<LoadedConfiguration, "value">,
  { webSearchProviders }: Pick<PluginGeneration, "webSearchProviders">,
): SelectedWebSearch {
  const ids = webSearchProviders.map(({ provider }) => provider.id);
  const wanted = value.tools?.webSearch?.provider;
  if (wanted === undefined) {
    const providers = ids.length === 0 ? "a provider; no plugin registers one" : ids.join(" or ");
    return { unavailable: `tools.webSearch.provider is not set; set it to ${providers}` };
  }
  const found = webSearchProviders.find(({ provider }) => provider.id === wanted);
  if (found === undefined) {
    const problem = `tools.webSearch.provider is "${wanted}", which no plugin registers`;
    return {
      unavailable:
        ids.length === 0 ? `${problem}; enable its plugin` : withSuggestion(problem, ids),
    };
  }
  const missing = found.provider.missing?.();
  if (missing === undefined) return { provider: found.provider };
  return { unavailable: `the provider "${wanted}" is not set up; ${missing}` };
}

/**
 * Returns the provider with which `web_search` is offered; undefined when the tool is not offered.
 * @param generation - plugins whose providers exist
 */
export function offeredWebSearch(
  configuration: Pick<LoadedConfiguration, "value">,
  generation: Pick<PluginGeneration, "webSearchProviders">,
): WebSearchProvider | undefined {
  const selected = selectedWebSearch(configuration, generation);
  return "provider" in selected ? selected.provider : undefined;
}
