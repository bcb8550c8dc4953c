import type { ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import type { PolicyTool } from "@openclaw/tool-policy";
import type { ToolEntry, ToolSet } from "../tool-call/tool-entry.js";
import { toolEntry } from "../tool-call/tool-set.js";
import { TOOL_SEARCH } from "./loaded-tools.js";
import { tokensOf } from "./model-offer.js";
import { createToolSearch } from "./tool-search.js";

/** Share of the context window of a model that the definitions of MCP tools may have, unless the configuration says otherwise. */
export const DEFAULT_DEFINITION_SHARE = 0.1;

/** Limit of the definitions of a turn, and its policy. */
export interface DeferralScope {
  /** Number of tokens that the definitions of MCP tools may have. */
  readonly limit: number;
  readonly session: ToolSessionContext;
  /** Decides whether policy allows a tool in the turn. */
  isAllowed(tool: PolicyTool): boolean;
  /** Returns the names of the tools that the turn may call now. */
  callable(): ReadonlySet<string>;
}

/**
 * Defers the definitions of MCP tools when together they exceed their limit: models receive their names in the description of
 * `tool_search`, and load those that they need (TURN-067). All of them are deferred, so that the names do not depend on
 * the order of servers. Where policy denies `tool_search`, nothing is deferred.
 * @param tools - tools of the turn
 * @param scope - limit and policy
 */
export function deferTools(tools: ToolSet, scope: DeferralScope): ToolSet {
  const all = [...tools.values()];
  const ofServers = all.filter(({ kind }) => kind === "mcp");
  const tokens = ofServers.reduce((sum, entry) => sum + tokensOf(entry), 0);
  // A tool of the client that has the name hides the host's.
  if (tokens <= scope.limit || tools.has(TOOL_SEARCH)) return tools;
  const search = toolEntry(
    createToolSearch(ofServers, scope),
    { kind: "builtin", optional: false },
    scope.session,
  );
  if (!scope.isAllowed(search.policyTool)) return tools;
  const behindCore = all.findIndex(({ kind }) => kind !== "builtin");
  const entries = all.map(
    (entry): ToolEntry => (entry.kind === "mcp" ? { ...entry, isDeferred: true } : entry),
  );
  return new Map(entries.toSpliced(behindCore, 0, search).map((entry) => [entry.name, entry]));
}
