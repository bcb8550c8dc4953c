/** Tokens of the definitions of an MCP server. */
export interface ServerCost {
  readonly server: string;
  /** Number of its tools. */
  readonly tools: number;
  readonly tokens: number;
}

/**
 * Returns what the definitions of each MCP server cost, the largest first.
 * @param tools - tools with the tokens of their definitions
 */
export function serverCosts(
  tools: readonly { readonly mcpServer?: string; readonly tokens: number }[],
): readonly ServerCost[] {
  const costs = new Map<string, ServerCost>();
  for (const { mcpServer: server, tokens } of tools) {
    if (server === undefined) continue;
    const known = costs.get(server) ?? { server, tools: 0, tokens: 0 };
    costs.set(server, { server, tools: known.tools + 1, tokens: known.tokens + tokens });
  }
  return [...costs.values()].sort((left, right) => right.tokens - left.tokens);
}
