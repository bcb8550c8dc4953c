import type { RecallResult } from "@openclaw/plugin-sdk/hooks";
import type { MemorySearch } from "@openclaw/plugin-sdk/plugin-entry";

type MemoryObject = Readonly<Record<string, unknown>>;

/**
 * Adds `search` to a runtime of an older plugin, which gives the host a search manager instead.
 * @param runtime - the registered runtime
 * @param config - returns the configuration of the host for the plugin
 * @returns the runtime itself when it has `search`, or no search manager
 */
export function withManagedSearch(runtime: MemoryObject, config: () => unknown): MemoryObject {
  const { search, getMemorySearchManager } = runtime;
  if (search !== undefined || typeof getMemorySearchManager !== "function") return runtime;
  const managed = async (request: MemorySearch) => {
    const { agentId = "main" } = request;
    const given: unknown = await Reflect.apply(getMemorySearchManager, runtime, [
      { cfg: config(), agentId, purpose: "default" },
    ]);
    return await searchWith(given, request);
  };
  // The plugin's own members may use `this`.
  const extended: MemoryObject = Object.create(runtime, {
    search: { value: managed, enumerable: true },
  });
  return extended;
}

async function searchWith(
  given: unknown,
  { query, limit, sessionKey, signal }: MemorySearch,
): Promise<unknown> {
  if (!isRecord(given)) throw new Error("getMemorySearchManager did not return an object");
  const { manager, error } = given;
  if (!isRecord(manager)) {
    if (typeof error === "string" && error !== "") throw new Error(error);
    return [];
  }
  const { search } = manager;
  // Some plugins have a manager for the status of the memory only.
  if (typeof search !== "function") return [];
  const found: unknown = await Reflect.apply(search, manager, [
    query,
    { maxResults: limit, sessionKey, signal },
  ]);
  return Array.isArray(found) ? found.map(recallResult) : found;
}

/** Returns a result of a manager, which has a place in a file, in the form of the hooks around searches. */
function recallResult(result: unknown): RecallResult | undefined {
  if (!isRecord(result)) return undefined;
  const { path, snippet, score, startLine, endLine, source } = result;
  if (typeof path !== "string" || typeof snippet !== "string" || typeof score !== "number") {
    return undefined;
  }
  const lines = typeof startLine === "number" ? `#L${startLine}-L${endLine ?? startLine}` : "";
  return { id: `${path}${lines}`, text: snippet, score, source: path, metadata: { source } };
}

function isRecord(value: unknown): value is MemoryObject {
  return typeof value === "object" && value !== null;
}
