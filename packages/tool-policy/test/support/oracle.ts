import type { PolicyContext, PolicyLayer, PolicyTool } from "../../src/index.js";
import { ALIASES, CORE_NAMES, ORIGIN_GROUPS, OWNER_ONLY } from "./vocabulary.js";

type Entries = PolicyLayer["allow"];
const canonical = (text: string) => ALIASES.get(text) ?? text;
/** Entries that match without naming: wildcards alone, and origins other than plugins. */
const UNNAMED = /^([*?]+|group:(core|mcp|wasm))$/;
const IMPLIED = /^(edit|apply_patch)$/;

const wild = (text: string) => RegExp(`^${text.replaceAll("*", ".*").replaceAll("?", ".")}$`, "u");
const ownerOnly = (tool: PolicyTool, name: string) => tool.ownerOnly || OWNER_ONLY.includes(name);

/** Input of the oracle: one layer of each name, everything in lower case. */
export interface PlainPolicy {
  readonly layers: readonly PolicyLayer[];
  /** Built-in and own groups, by `group:<name>`. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly fallback: "allow" | "deny";
}

/** The answers for a tool by the plainest reading of the rules, whatever it costs. */
export function oracle(policy: PlainPolicy, tool: PolicyTool): (context: PolicyContext) => string {
  const name = canonical(tool.name);
  const leaves = (text: string): string[] => policy.groups.get(text)?.flatMap(leaves) ?? [text];
  const fit = (leaf: string) => {
    if (/[*?]/.test(leaf)) return wild(leaf).test(name) ? 4 : 9;
    if (leaf === ORIGIN_GROUPS[tool.origin]) return 3;
    if (canonical(leaf) === name) return 0;
    if (tool.aliases.map(canonical).includes(canonical(leaf))) return 1;
    if (IMPLIED.test(name) && canonical(leaf) === "write") return 5;
    return leaf.replace("plugin:", "") === tool.pluginId && !CORE_NAMES.includes(leaf) ? 2 : 9;
  };
  const rank = (entry: string, naming = false) => {
    const meant = leaves(entry).filter((leaf) => !naming || (!UNNAMED.test(leaf) && fit(leaf) < 5));
    const best = Math.min(9, ...meant.map(fit));
    return best < 9 && entry.startsWith("group:") ? (best === 5 ? 6 : 3) : best;
  };
  const hits = (list: Entries, naming = false) =>
    (list ?? []).map(String).filter((entry) => rank(entry, naming) < 9);
  const order = (entry: string) => `${rank(entry)}${canonical(entry)}\n${entry}`;
  const best = (list: Entries) => hits(list).map(order).sort()[0]?.split("\n")[1];
  const read = policy.layers.map(({ layer, allow = [], deny, alsoAllow = [] }) => ({
    layer,
    denied: best(deny),
    admitted: best(allow) ?? best(alsoAllow),
    isList: allow.length > 0,
    isNamed: tool.optional && hits([...allow, ...alsoAllow], true).length > 0,
  }));
  return (context) => {
    const { groupId, sandboxed, subagentDepth, parentPolicy, runAllow, toolsAllow } = context;
    const off: unknown[] = [
      groupId ?? "group",
      sandboxed || "sandbox",
      subagentDepth || "subagent",
    ];
    const heard = read.filter(({ layer }) => !off.includes(layer));
    const evaluated = heard.map(({ layer, denied, admitted, isList }) => {
      const bound = layer === "subagent" && parentPolicy?.every((each) => canonical(each) !== name);
      if (denied) return `deny ${layer} ${denied}`;
      if (bound || (!admitted && isList)) return `deny-unlisted ${layer}`;
      return admitted && `allow ${layer} ${admitted}`;
    });
    const first = (verdict: string) => evaluated.find((text) => text?.startsWith(`${verdict} `));
    const denial = first("deny") ?? first("deny-unlisted");
    if (denial) return denial;
    if (policy.fallback === "deny" && !first("allow")) return "deny default";
    const isOptedIn = heard.some(({ layer, isNamed }) => !/^s/.test(layer) && isNamed);
    if (tool.optional && !isOptedIn) return "not-opted-in optional";
    if (!context.senderIsOwner && ownerOnly(tool, name)) return "deny owner";
    if ([runAllow, toolsAllow].some((list) => list && !hits(list)[0])) return "deny run";
    return first("allow") ?? "allow default";
  };
}
