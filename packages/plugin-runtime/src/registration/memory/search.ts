import type { RecallResult } from "@openclaw/plugin-sdk/hooks";
import type { MemoryArchive, MemorySearch } from "@openclaw/plugin-sdk/plugin-entry";
import { isEmbeddingAdapter } from "./embedding-adapter.js";
import type { PluginMemoryRegistration } from "./registrars.js";

/** The searchable part of the plugin in the memory slot. */
export interface SearchableMemory {
  readonly pluginId: string;
  /**
   * Searches the plugin's memory; checks the results and does not catch errors.
   * @param search - query and limits
   * @returns the results; undefined when the plugin did not return a list of results
   */
  search(search: MemorySearch): Promise<readonly RecallResult[] | undefined>;
  /** Time limit of a search in a turn, in milliseconds. */
  readonly deadlineMs: number;
  /** Stores messages that leave a conversation; absent for a memory that cannot. */
  readonly archive?: ((archive: MemoryArchive) => Promise<void>) | undefined;
}

/** Time limit of a search in a turn, in milliseconds (MEM-039). */
const DEFAULT_DEADLINE_MS = 2000;
const LONGEST_DEADLINE_MS = 15_000;

/**
 * Returns the searchable memory among the registered parts; undefined when there is none.
 * @param memory - the registered parts; only the plugin that has the slot is loaded (PLUG-011)
 */
export function searchableMemory(
  memory: readonly PluginMemoryRegistration[],
): SearchableMemory | undefined {
  const runtime = memory.find(isSearchable);
  if (runtime === undefined) return undefined;
  const { pluginId, value } = runtime;
  const { archive } = value;
  return {
    pluginId,
    deadlineMs: deadlineOf(value.searchDeadlineMs),
    archive:
      typeof archive === "function"
        ? async (request) => void (await Reflect.apply(archive, value, [request]))
        : undefined,
    async search(search) {
      const found: unknown = await Reflect.apply(value.search, value, [search]);
      return Array.isArray(found) && found.every(isResult) ? found : undefined;
    },
  };
}

/**
 * Returns true for a part of a memory that every host uses.
 * @param registration - registration of a part
 */
export function isUsed(registration: PluginMemoryRegistration): boolean {
  const { part } = registration;
  if (part === "embeddingProvider") return isEmbeddingAdapter(registration);
  const isPrompt = part === "promptBuilder" || part === "promptSupplement";
  return isPrompt || part === "flushPlanResolver" || isSearchable(registration);
}

function isSearchable(
  registration: PluginMemoryRegistration,
): registration is PluginMemoryRegistration & { readonly value: SearchableValue } {
  return registration.part === "runtime" && typeof registration.value.search === "function";
}

/** Members that a plugin may have given any value. */
interface SearchableValue {
  readonly search: Callable;
  readonly archive?: unknown;
  readonly searchDeadlineMs?: unknown;
}

type Callable = (...args: unknown[]) => unknown;

function deadlineOf(given: unknown): number {
  if (typeof given !== "number" || !(given > 0)) return DEFAULT_DEADLINE_MS;
  return Math.min(given, LONGEST_DEADLINE_MS);
}

function isResult(value: unknown): value is RecallResult {
  if (typeof value !== "object" || value === null) return false;
  const { id, text, score } = value as Readonly<Record<string, unknown>>;
  return typeof id === "string" && typeof text === "string" && Number.isFinite(score);
}
