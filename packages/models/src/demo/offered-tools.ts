import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";

/** Name of the tool that loads definitions which are listed in its description. */
export const TOOL_SEARCH = "tool_search";

/** Tools that a request offers. */
export interface OfferedTools {
  /** Names of the tools that can be called at once. */
  readonly names: readonly string[];
  /** Names of listed tools that `tool_search` has to load first. */
  readonly listed: readonly string[];
}

/**
 * Returns the tools of a request. The list in the description of `tool_search` has a line for each tool, or names alone.
 * @param tools - tools of the request
 */
export function offeredTools(tools: LanguageModelV4CallOptions["tools"] = []): OfferedTools {
  const names = tools.map(({ name }) => name);
  const search = tools.find(({ name }) => name === TOOL_SEARCH);
  const [, ...lines] = (search?.type === "function" ? (search.description ?? "") : "").split("\n");
  const listed = lines.flatMap((line) => {
    const [, name] = /^- ([^\s:]+):/.exec(line) ?? [];
    return name === undefined ? line.split(/, /).filter((each) => /^[\w.-]+$/.test(each)) : [name];
  });
  return { names, listed: listed.filter((name) => !names.includes(name)) };
}

/**
 * Returns the name of a tool as a request offers it, whatever its case.
 * @param names - offered names
 * @param wanted - name that a user wrote
 */
export function nameAmong(names: readonly string[], wanted: string): string | undefined {
  return names.find((name) => name.toLowerCase() === wanted.toLowerCase());
}
