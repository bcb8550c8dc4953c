/** Search for a `WebSearchProvider`. */
export interface WebSearchRequest {
  /** At most 512 characters. */
  readonly query: string;
  /** Maximum number of results, 1 to 10. */
  readonly count: number;
  /** Aborts when the results are no longer needed. */
  readonly signal: AbortSignal;
}

/** Page that a search found. */
export interface WebSearchResult {
  readonly title: string;
  readonly url: string;
  /** Part of the page that fits the query; empty when the provider has none. */
  readonly snippet: string;
}

/** Provider of web search, selected by `tools.webSearch.provider` and used by the tool `web_search` (TURN-066). */
export interface WebSearchProvider {
  /** Id for `tools.webSearch.provider`, in lower case. */
  readonly id: string;
  /** Display name; the id when absent. */
  readonly label?: string;
  /** Returns what is missing, for example `set SEARXNG_URL`; undefined when the provider can search. */
  missing?(): string | undefined;
  /**
   * Searches the web.
   * @param request - query and number of results
   * @returns pages, best first; the host leaves out what exceeds the count
   * @throws an error whose message says what failed and the next step; the model reads it
   */
  search(request: WebSearchRequest): Promise<readonly WebSearchResult[]>;
}
