import { errorMessage } from "@openclaw/foundation";
import type { WebSearchProvider, WebSearchResult } from "@openclaw/plugin-sdk/plugin-entry";
import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { type RuleSet, scanLeaks, wrapExternalContent } from "@openclaw/safety";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { textStart } from "./text.js";

const DEFAULT_COUNT = 5;
const MOST_RESULTS = 10;
const LONGEST_QUERY = 512;
const LONGEST_TITLE = 200;
const LONGEST_SNIPPET = 500;
const LONGEST_URL = 2000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Options of {@link createWebSearchTool}. */
export interface WebSearchToolOptions {
  readonly provider: WebSearchProvider;
  /** Returns the rules of the leak scan of queries; the built-in ones when absent or undefined. */
  readonly rules?: (() => RuleSet | undefined) | undefined;
  /** Time limit of a search in milliseconds; 30,000 when absent. */
  readonly timeoutMs?: number | undefined;
}

/** Details of the found pages, for clients. */
export interface WebSearchDetails {
  provider: string;
  results: WebSearchResult[];
}

/**
 * Creates the `web_search` tool, which asks the provider that the operator selected. Titles and snippets are external
 * content, and are returned between its markers (TURN-066, SAFE-032).
 * @param options - provider, leak rules and time limit
 */
export function createWebSearchTool({
  provider,
  rules,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: WebSearchToolOptions) {
  const label = provider.label ?? provider.id;
  return defineTool({
    name: "web_search",
    label: "Search the web",
    description: `Search the web with ${label} and return titles, URLs and snippets. To read a page, use web_fetch.`,
    parameters: Type.Object(
      {
        query: Type.String({
          minLength: 1,
          maxLength: LONGEST_QUERY,
          description: "The search query.",
        }),
        count: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MOST_RESULTS,
            description: `Maximum number of results. Default ${DEFAULT_COUNT}.`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
    approval: "never",
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { query, count = DEFAULT_COUNT }, signal) =>
      answer(`search for ${JSON.stringify(query)}`, async () => {
        assertNoLeak(query, rules?.());
        const request = { query, count };
        const found = await search(provider, request, { signal, timeoutMs });
        return resultOf(label, readResults(found, count));
      }),
  });
}

function assertNoLeak(query: string, rules: RuleSet | undefined): void {
  const finding = scanLeaks(query, { rules }).findings.find(({ action }) => action === "block");
  if (finding === undefined) return;
  throw new ToolRefusalError(
    "leaks-secret",
    `The query was not sent: it holds what looks like a secret (rule ${finding.rule}). Take it out.`,
  );
}

async function search(
  provider: WebSearchProvider,
  request: { readonly query: string; readonly count: number },
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await provider.search({ ...request, signal: AbortSignal.any([signal, timeout]) });
  } catch (error) {
    signal.throwIfAborted();
    const problem = timeout.aborted
      ? `it did not answer within ${timeoutMs} ms`
      : errorMessage(error);
    throw new ToolRefusalError(
      "request-failed",
      `The search with ${provider.id} failed: ${problem}`,
      { cause: error },
    );
  }
}

/** Returns the usable results: text of limited length, and URLs of web pages. */
function readResults(found: unknown, count: number): WebSearchResult[] {
  if (!Array.isArray(found)) return [];
  return found.flatMap((result) => readResult(result) ?? []).slice(0, count);
}

function readResult(result: unknown): WebSearchResult | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const url = textOf(result, "url", LONGEST_URL);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const title = textOf(result, "title", LONGEST_TITLE);
  return { title: title || url, url, snippet: textOf(result, "snippet", LONGEST_SNIPPET) };
}

function textOf(result: object, key: keyof WebSearchResult, longest: number): string {
  const value: unknown = Reflect.get(result, key);
  if (typeof value !== "string") return "";
  const text = value.replace(/\s+/g, " ").trim();
  return text.length <= longest ? text : `${textStart(text, longest - 1, longest * 4)}…`;
}

function resultOf(label: string, results: WebSearchResult[]): ToolResult<WebSearchDetails> {
  const details = { provider: label, results };
  if (results.length === 0) {
    return { content: [{ type: "text", text: `[${label} found nothing.]` }], details };
  }
  const listed = results.map(({ title, url, snippet }, index) =>
    [`${index + 1}. ${title}`, url, snippet].filter((line) => line !== "").join("\n"),
  );
  const content = listed.join("\n\n");
  const text = wrapExternalContent({ source: label, content });
  return { content: [{ type: "text", text }], details };
}
