import { wrapExternalContent } from "@openclaw/safety";
import {
  normalizeResolvedSecretInputString,
  normalizeSecretInputString,
} from "../secrets/secret-input.js";
import type { SearchConfigRecord } from "./provider-web-search-config-contract.js";

export {
  type WebToolsAnswer,
  type WebToolsEndpointRequest,
  withSelfHostedWebSearchEndpoint,
  withSelfHostedWebToolsEndpoint,
  withTrustedWebSearchEndpoint,
  withTrustedWebToolsEndpoint,
} from "../../search/search-endpoint.js";
export {
  parseWebSearchTimeFilters,
  type TimeFilterMessages,
  type TimeFilters,
} from "../../search/search-time.js";
export {
  readNumberParam,
  readStringArrayParam,
  readStringParam,
} from "../param-readers.js";
export {
  createWebSearchProviderContractFields,
  mergeScopedSearchConfig,
  resolveProviderWebSearchPluginConfig,
  type SearchConfigRecord,
  type WebSearchProviderPlugin,
  type WebSearchProviderToolDefinition,
} from "./provider-web-search-config-contract.js";

/**
 * Number of results of a search without one.
 * @deprecated Use the `count` of a `WebSearchRequest`.
 */
export const DEFAULT_SEARCH_COUNT = 5;
/**
 * Maximum number of results of a search.
 * @deprecated Use the `count` of a `WebSearchRequest`.
 */
export const MAX_SEARCH_COUNT = 10;

const TIMEOUT_SECONDS = 30;
const CACHE_MINUTES = 15;
const MINUTE_MS = 60_000;
/** Beginning of the line above text of the web. */
const BORDER = "--- BEGIN";
/** Number of answers that are kept. */
const MOST_CACHED = 100;

/** Answer of a search. */
export type SearchPayload = Readonly<Record<string, unknown>>;

const cache = new Map<string, { readonly payload: SearchPayload; readonly until: number }>();

/**
 * Returns the key of an answer.
 * @param parts - everything that the answer depends on
 * @deprecated Build a key yourself.
 */
export function buildSearchCacheKey(parts: readonly unknown[]): string {
  return JSON.stringify(
    parts.map((part) => (typeof part === "string" ? part.trim().toLowerCase() : (part ?? null))),
  );
}

/**
 * Returns a kept answer, marked with `cached: true`.
 * @param key - key of the answer
 * @deprecated Keep answers in a `Map`.
 */
export function readCachedSearchPayload(
  key: string,
  _ttlMs?: number,
): Record<string, unknown> | undefined {
  const found = cache.get(key);
  if (found === undefined) return undefined;
  if (found.until > Date.now()) return { ...found.payload, cached: true };
  cache.delete(key);
  return undefined;
}

/**
 * Keeps an answer.
 * @param key - key of the answer
 * @param payload - the answer
 * @param ttlMs - milliseconds; 0 keeps nothing
 * @deprecated Keep answers in a `Map`.
 */
export function writeCachedSearchPayload(key: string, payload: SearchPayload, ttlMs: number): void {
  if (!(ttlMs > 0)) return;
  cache.delete(key);
  cache.set(key, { payload, until: Date.now() + ttlMs });
  const [oldest] = cache.keys();
  if (cache.size > MOST_CACHED && oldest !== undefined) cache.delete(oldest);
}

/**
 * Returns a command as an operator types it.
 * @param command - command that begins with `openclaw`
 * @deprecated Write the command.
 */
export function formatCliCommand(command: string): string {
  return command;
}

/**
 * Returns a secret of the configuration.
 * @param value - value from the configuration
 * @param path - its path, for the message
 * @throws Error for a reference that this host does not resolve
 * @deprecated The host puts stored secrets into `api.pluginConfig`.
 */
export function readConfiguredSecretString(value: unknown, path: string): string | undefined {
  return normalizeResolvedSecretInputString({ value, path });
}

/**
 * Returns the first environment variable that is set.
 * @param names - names of the variables
 * @deprecated Use `createSettings` of "openclaw/plugin-sdk/provider-entry".
 */
export function readProviderEnvValue(names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = normalizeSecretInputString(process.env[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * Reads a positive integer.
 * @param params - arguments
 * @param key - name of the parameter
 * @param options - maximum, and text of the error
 * @throws Error for another value
 * @deprecated Use `readNumber`.
 */
export function readPositiveIntegerParam(
  params: Readonly<Record<string, unknown>>,
  key: string,
  options: { readonly max?: number; readonly message?: string } = {},
): number | undefined {
  const value = Object.hasOwn(params, key) ? params[key] : undefined;
  if (value === undefined || value === null || value === "") return undefined;
  const { max = Number.MAX_SAFE_INTEGER, message = `${key} must be a positive integer` } = options;
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= max) {
    return number;
  }
  throw new Error(message);
}

/**
 * Returns the number of results to ask for.
 * @param value - requested number
 * @param fallback - number when none is requested
 * @deprecated Use the `count` of a `WebSearchRequest`.
 */
export function resolveSearchCount(value: unknown, fallback: number): number {
  const wanted = typeof value === "number" && Number.isFinite(value) ? Math.floor(value) : fallback;
  return Math.min(Math.max(wanted, 1), MAX_SEARCH_COUNT);
}

/**
 * Returns the time of a search in seconds.
 * @param searchConfig - configuration of web search
 * @deprecated Use the `signal` of a `WebSearchRequest`.
 */
export function resolveSearchTimeoutSeconds(searchConfig?: SearchConfigRecord): number {
  return positive(searchConfig?.timeoutSeconds) ?? TIMEOUT_SECONDS;
}

/**
 * Returns for how long an answer is kept, in milliseconds.
 * @param searchConfig - configuration of web search
 * @deprecated Keep answers for a time of your own.
 */
export function resolveSearchCacheTtlMs(searchConfig?: SearchConfigRecord): number {
  const minutes = searchConfig?.cacheTtlMinutes;
  return (minutes === 0 ? 0 : (positive(minutes) ?? CACHE_MINUTES)) * MINUTE_MS;
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}

/**
 * Returns the host name of a URL; undefined for other text.
 * @param url - URL of a result
 * @deprecated Use `URL.parse`.
 */
export function resolveSiteName(url: string | undefined): string | undefined {
  return URL.parse(url ?? "")?.hostname;
}

/**
 * Marks text of the web as data, so that a model does not follow instructions in it.
 * @param content - text of a result
 * @param source - origin of the text
 * @deprecated Return the text from `search` of a `WebSearchProvider`; the host marks it.
 */
export function wrapWebContent(content: string, source = "web_search"): string {
  const wrapped = wrapExternalContent({ source, content });
  // The notice of every title and snippet would be longer than the results.
  return wrapped.slice(wrapped.indexOf(BORDER));
}
