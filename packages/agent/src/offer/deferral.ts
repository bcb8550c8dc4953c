import type { ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import type { PolicyTool } from "@openclaw/tool-policy";
import type { ToolEntry, ToolSet } from "../tool-call/tool-entry.js";
import { toolEntry } from "../tool-call/tool-set.js";
import { TOOL_SEARCH } from "./loaded-tools.js";
import { tokensOf } from "./model-offer.js";
import { createToolSearch } from "./tool-search.js";

/** Share of the context window of a model that the definitions of MCP tools may have, unless the configuration says otherwise. */
export const DEFAULT_DEFINITION_SHARE = 0.1;

/** Entries of `tools.search.defer` unless the configuration says otherwise: tools that few conversations call. */
export const DEFAULT_DEFERRED: readonly string[] = [
  "group:automation",
  "group:gateway",
  "memory_connect",
  "memory_profile",
  "memory_spaces",
];

/** Limit of the definitions of a turn, and its policy. */
export interface DeferralScope {
  /** Number of tokens that the definitions of MCP tools may have. */
  readonly limit: number;
  readonly session: ToolSessionContext;
  /** Decides whether policy allows a tool in the turn. */
  isAllowed(tool: PolicyTool): boolean;
  /** Decides whether the operator defers a tool however small its definition is. */
  isRare(tool: PolicyTool): boolean;
  /** Returns the names of the tools that the turn may call now. */
  callable(): ReadonlySet<string>;
}

/**
 * Defers definitions that few turns need (TURN-067): those of tools that the operator names, and those of all MCP tools when
 * together they exceed their limit. Models receive names in the description of `tool_search`, and load the definitions that
 * they need. The choice depends on tools and configuration only, so that the names are the same in each turn. Named tools are
 * not deferred where that would send more tokens than their definitions have, and nothing is deferred where policy denies
 * `tool_search`.
 * @param tools - tools of the turn
 * @param scope - limit and policy
 */
export function deferTools(tools: ToolSet, scope: DeferralScope): ToolSet {
  // A tool of the client that has the name hides the host's.
  if (tools.has(TOOL_SEARCH)) return tools;
  const all = [...tools.values()];
  const ofServers = all.filter(({ kind }) => kind === "mcp");
  const exceeding = exceeds(ofServers, scope.limit) ? new Set(ofServers) : new Set();
  const deferred = all.filter(
    (entry) => exceeding.has(entry) || (entry.kind !== "client" && scope.isRare(entry.policyTool)),
  );
  if (deferred.length === 0) return tools;
  const search = toolEntry(
    createToolSearch(deferred, scope),
    { kind: "builtin", optional: false },
    scope.session,
  );
  if (!scope.isAllowed(search.policyTool)) return tools;
  if (exceeding.size === 0 && tokensOf(search) >= tokenSum(deferred)) return tools;
  const names = new Set(deferred.map(({ name }) => name));
  const core = all.filter(({ kind }) => kind === "builtin").length;
  const entries = all.map(
    (entry): ToolEntry => (names.has(entry.name) ? { ...entry, isDeferred: true } : entry),
  );
  return new Map(entries.toSpliced(core, 0, search).map((entry) => [entry.name, entry]));
}

/** Returns true when definitions exceed a limit; of thousands, those beyond it are not counted. */
function exceeds(entries: readonly ToolEntry[], limit: number): boolean {
  let sum = 0;
  return entries.some((entry) => {
    sum += tokensOf(entry);
    return sum > limit;
  });
}

function tokenSum(entries: readonly ToolEntry[]): number {
  return entries.reduce((sum, entry) => sum + tokensOf(entry), 0);
}
