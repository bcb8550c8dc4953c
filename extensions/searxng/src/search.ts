import type { WebSearchRequest, WebSearchResult } from "@openclaw/plugin-sdk/plugin-entry";
import { boundedFetch } from "@openclaw/plugin-sdk/provider-entry";
import { SearxngFailedError } from "./errors.js";

const readBounded = boundedFetch({ replyBytes: 4 * 1024 * 1024 });

/** Settings of the plugin. */
export interface SearxngConfig {
  readonly baseURL?: string;
  readonly categories?: string;
  readonly engines?: string;
  readonly language?: string;
  readonly safeSearch?: 0 | 1 | 2;
}

/**
 * Searches with the JSON API of a SearXNG server.
 * @param baseURL - URL of the server, as its start page has it
 * @param config - settings of the search
 * @param request - query, number of results and signal
 * @throws SearxngFailedError when no usable answer arrived
 */
export async function search(
  baseURL: string,
  { categories, engines, language, safeSearch }: SearxngConfig,
  { query, count, signal }: WebSearchRequest,
): Promise<readonly WebSearchResult[]> {
  const url = new URL(`${baseURL.replace(/\/+$/, "")}/search`);
  const parameters = { q: query, format: "json", categories, engines, language };
  for (const [name, value] of Object.entries({ ...parameters, safesearch: safeSearch })) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const body = await ask(url, baseURL, signal);
  if (!isAnswer(body)) {
    const problem = "answered without a list of results";
    throw new SearxngFailedError(baseURL, problem, "check that SEARXNG_URL is its start page");
  }
  const results = body.results.flatMap((result) => readResult(result) ?? []);
  if (results.length > 0) return results.slice(0, count);
  const failed = failedEngines(body);
  if (failed === "") return [];
  const problem = `found nothing because its engines failed: ${failed}`;
  throw new SearxngFailedError(baseURL, problem, "try again later, or enable other engines");
}

async function ask(url: URL, baseURL: string, signal: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    response = await readBounded(url, { headers: { accept: "application/json" }, signal });
  } catch (error) {
    signal.throwIfAborted();
    const problem = `could not be reached: ${reasonOf(error)}`;
    const nextStep = "check SEARXNG_URL and that the server runs";
    throw new SearxngFailedError(baseURL, problem, nextStep, error);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new SearxngFailedError(baseURL, ...refusalOf(response.status));
  }
  try {
    return await response.json();
  } catch (error) {
    signal.throwIfAborted();
    const problem = "did not answer with JSON";
    const nextStep = "check that SEARXNG_URL is its start page";
    throw new SearxngFailedError(baseURL, problem, nextStep, error);
  }
}

function refusalOf(status: number): [problem: string, nextStep: string] {
  switch (status) {
    case 403:
      return [
        "rejected the JSON format (HTTP 403)",
        "add json to search.formats in its settings.yml and restart it",
      ];
    case 429:
      return [
        "rejected the request (HTTP 429)",
        "set server.limiter to false in its settings.yml, or let the address of this host pass its limiter",
      ];
    case 404:
      return ["has no search at this URL (HTTP 404)", "check that SEARXNG_URL is its start page"];
    default:
      return [`responded with HTTP ${status}`, "see its log, or try again later"];
  }
}

interface Answer {
  readonly results: readonly unknown[];
  readonly unresponsive_engines?: unknown;
}

function isAnswer(body: unknown): body is Answer {
  return (
    typeof body === "object" && body !== null && "results" in body && Array.isArray(body.results)
  );
}

function readResult(result: unknown): WebSearchResult | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const text = (key: string) => {
    const value: unknown = Reflect.get(result, key);
    return typeof value === "string" ? value : "";
  };
  const url = text("url");
  return url === "" ? undefined : { url, title: text("title"), snippet: text("content") };
}

/** Returns the engines that failed with their reasons, which the server lists as pairs. */
function failedEngines({ unresponsive_engines: engines }: Answer): string {
  if (!Array.isArray(engines)) return "";
  return engines
    .filter((engine) => Array.isArray(engine))
    .map((engine) => engine.filter((part) => typeof part === "string").join(" "))
    .join(", ");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
