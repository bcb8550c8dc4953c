import type { RecallResult } from "@openclaw/plugin-sdk/hooks";
import type { MemorySearch } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginMemoryRegistration } from "./memory.js";

/** The plugin in the memory slot, as far as it can be searched. */
export interface SearchableMemory {
  readonly pluginId: string;
  /**
   * Asks the plugin; what it answers is checked, what it throws is not caught.
   * @param search - what to look for
   * @returns its answer; undefined when that is no list of results
   */
  search(search: MemorySearch): Promise<readonly RecallResult[] | undefined>;
}

/**
 * The memory that can be searched among what plugins registered; undefined when there is none.
 * @param memory - the registered parts; only the plugin that has the slot is loaded (PLUG-011)
 */
export function searchableMemory(
  memory: readonly PluginMemoryRegistration[],
): SearchableMemory | undefined {
  const runtime = memory.find(isSearchable);
  if (runtime === undefined) return undefined;
  const { pluginId, value } = runtime;
  return {
    pluginId,
    async search(search) {
      const found: unknown = await Reflect.apply(value.search, value, [search]);
      return Array.isArray(found) && found.every(isResult) ? found : undefined;
    },
  };
}

/**
 * Whether a part of a memory is one that every host makes use of.
 * @param registration - of any part
 */
export function isSearchable(
  registration: PluginMemoryRegistration,
): registration is PluginMemoryRegistration & { readonly value: { readonly search: Callable } } {
  return registration.part === "runtime" && typeof registration.value.search === "function";
}

type Callable = (...args: unknown[]) => unknown;

function isResult(value: unknown): value is RecallResult {
  if (typeof value !== "object" || value === null) return false;
  const { id, text, score } = value as Readonly<Record<string, unknown>>;
  return typeof id === "string" && typeof text === "string" && Number.isFinite(score);
}
