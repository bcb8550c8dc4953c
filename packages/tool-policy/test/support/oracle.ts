import type { PolicyContext, PolicyLayer, PolicyTool } from "../../src/index.js";
import { ALIASES, CORE_NAMES, ORIGIN_GROUPS, OWNER_ONLY } from "./vocabulary.js";

type Entries = PolicyLayer["allow"];
const canonical = (text: string) => ALIASES.get(text) ?? text;
/** Entries that match without naming: wildcards alone, and origins other than plugins. */
const UNNAMED = /^([*?]+|group:(core|mcp|wasm))$/;
const IMPLIED = /^(edit|apply_patch)$/;

const wild = (text: string) => RegExp(`^${text.replaceAll("*", ".*").replaceAll("?", ".")}$`, "u");
const admitting = ({ allow = [], alsoAllow = [] }: PolicyLayer) => [...allow, ...alsoAllow];
const ownerOnly = (tool: PolicyTool, name: string) => tool.ownerOnly || OWNER_ONLY.includes(name);

/** Input of the oracle: one layer of each name, everything in lower case. */
export interface PlainPolicy {
  readonly layers: readonly PolicyLayer[];
  /** Built-in and own groups, by `group:<name>`. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly fallback: "allow" | "deny";
}

/** The answer by the plainest reading of the rules, whatever it costs. */
export function oracle(policy: PlainPolicy, tool: PolicyTool, context: PolicyContext) {
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
  const { groupId, sandboxed, subagentDepth, parentPolicy, runAllow, toolsAllow } = context;
  const off: unknown[] = [groupId ?? "group", sandboxed || "sandbox", subagentDepth || "subagent"];
  const heard = policy.layers.filter(({ layer }) => !off.includes(layer));
  const evaluated = heard.map(({ layer, allow, deny, alsoAllow }) => {
    const admitted = best(allow) ?? best(alsoAllow);
    const bound = layer === "subagent" && parentPolicy?.every((each) => canonical(each) !== name);
    if (best(deny)) return `deny ${layer} ${best(deny)}`;
    if (bound || (!admitted && allow?.[0])) return `deny-unlisted ${layer}`;
    return admitted && `allow ${layer} ${admitted}`;
  });
  const first = (verdict: string) => evaluated.find((text) => text?.startsWith(`${verdict} `));
  const opted = heard.filter((each) => !/^s/.test(each.layer)).flatMap(admitting);
  if (first("deny") ?? first("deny-unlisted")) return first("deny") ?? first("deny-unlisted");
  if (policy.fallback === "deny" && !first("allow")) return "deny default";
  if (tool.optional && hits(opted, true).length === 0) return "not-opted-in optional";
  if (!context.senderIsOwner && ownerOnly(tool, name)) return "deny owner";
  if ([runAllow, toolsAllow].some((list) => list && !hits(list)[0])) return "deny run";
  return first("allow") ?? "allow default";
}
