import type { PolicyEntry, PolicyLayer } from "../layers/layer.js";
import { formatKeyPath, type PolicySource } from "../layers/source.js";
import type { ConfigNode } from "./node.js";
import { type ConfigLists, layerOf, readRules } from "./rules.js";
import type { ToolPolicyConfig } from "./schema.js";

const SANDBOX_LISTS = ["allow", "deny"] as const;

/** Default allow and deny lists of a sandbox (POL-013). */
const SANDBOX_DEFAULTS = {
  allow: ["group:fs", "group:runtime", "group:sessions", "group:util"],
  deny: ["message", "http", "group:automation", "group:gateway"],
} as const;

/**
 * Tools denied to all subagents, and tools denied to those that cannot spawn subagents (POL-014).
 */
const SUBAGENT_DENY = ["group:gateway", "cron", "message", "sessions_send"];
const DEEPEST_SUBAGENT_DENY = ["sessions_spawn", "subagents"];

function builtIn(values: readonly string[], key: string): readonly PolicyEntry[] {
  const source: PolicySource = { key, builtIn: true };
  return values.map((value) => ({ value, source }));
}

/**
 * Makes layer 6 from `tools.sandbox.tools` or `sandbox.tools`. A list given in neither keeps its
 * default; both places together must both admit a tool.
 * @param root - the whole configuration
 */
export function sandboxLayers(root: ConfigNode<ToolPolicyConfig>): readonly PolicyLayer[] {
  const given = [root.get("tools")?.get("sandbox"), root.get("sandbox")]
    .map((sandbox) => sandbox?.get("tools"))
    .filter((node) => node !== undefined)
    .map(readRules);
  const [first, ...others] = given;
  const source = first?.node.source ?? root.sourceOf(["tools", "sandbox", "tools"]);
  const defaults: { -readonly [Name in keyof ConfigLists]: ConfigLists[Name] } = {};
  for (const name of SANDBOX_LISTS) {
    if (given.some(({ lists }) => lists[name] !== undefined)) continue;
    defaults[name] = builtIn(SANDBOX_DEFAULTS[name], `${source.key}.${name}`);
  }
  return [
    { layer: "sandbox", ...defaults, ...first?.lists, source },
    ...others.map((rules) => layerOf(rules, { layer: "sandbox" })),
  ];
}

/**
 * Makes layer 7 from `tools.subagents.tools`: the built-in deny lists also apply, and `alsoAllow`
 * removes single names from them.
 * @param root - the whole configuration
 * @param maximumDepth - depth from which subagents cannot spawn subagents
 */
export function subagentLayers(
  root: ConfigNode<ToolPolicyConfig>,
  maximumDepth: number,
): readonly PolicyLayer[] {
  const node = root.get("tools")?.get("subagents")?.get("tools");
  const path = ["tools", "subagents", "tools"];
  const lists = node === undefined ? {} : readRules(node).lists;
  const frame = {
    layer: "subagent",
    builtIn: true,
    yieldsToAlsoAllow: true,
    source: { key: `${formatKeyPath(path)}.alsoAllow`, builtIn: true },
  } as const;
  return [
    { layer: "subagent", ...lists, source: root.sourceOf(path) },
    {
      ...frame,
      label: "built-in limits of subagents",
      deny: builtIn(SUBAGENT_DENY, frame.source.key),
    },
    {
      ...frame,
      label: "built-in limits of the deepest subagents",
      when: { minimumSubagentDepth: maximumDepth },
      deny: builtIn(DEEPEST_SUBAGENT_DENY, frame.source.key),
    },
  ];
}
