import { defined } from "@openclaw/foundation";
import type { PolicyLayer } from "../layers/layer.js";
import type { ConfigNode } from "./node.js";
import type { ConfigProfiles } from "./profiles.js";
import { providerEntries, providerLayers } from "./providers.js";
import { type ConfigRules, layerOf, readRules, yieldAllow } from "./rules.js";
import type { ToolRulesConfig } from "./schema.js";

/**
 * Configuration files that set the tools of one agent: the main file, the file in its own folder,
 * or both.
 */
export interface AgentFiles {
  readonly main?: ConfigNode<ToolRulesConfig> | undefined;
  readonly folder?: ConfigNode<ToolRulesConfig> | undefined;
}

/** The rules of one agent. */
export interface AgentRules {
  readonly agentId: string;
  /** Configuration value that names the agent's own profile. */
  readonly profile: ConfigNode<string> | undefined;
  /** Rules from the main file and from the agent's own file, where present. */
  readonly rules: readonly ConfigRules[];
  /** Layer 4. */
  readonly layers: readonly PolicyLayer[];
}

/**
 * Reads the tools of one agent (POL-011).
 * @param agentId - as configured
 * @param files - at least one
 * @param profiles - profiles its `byProvider` entries may name
 */
export function readAgent(
  agentId: string,
  { main, folder }: AgentFiles,
  profiles: ConfigProfiles,
): AgentRules {
  const rules: ConfigRules[] = [];
  const layers: PolicyLayer[] = [];
  const when = { agentId };
  const mainEntries = main === undefined ? undefined : providerEntries(main);
  if (main !== undefined) rules.push(readRules(main));
  if (folder !== undefined) rules.push(yieldAllow(readRules(folder), main));
  for (const each of rules) {
    layers.push(layerOf(each, { layer: "agent", when, label: `agent "${agentId}"` }));
  }
  if (mainEntries !== undefined) {
    const slot = "by-provider";
    layers.push(...providerLayers({ entries: mainEntries, layer: "agent", when, slot }, profiles));
  }
  if (folder !== undefined) {
    const entries = providerEntries(folder);
    // A separate slot, so that the deny lists of both files count.
    const slot = "by-provider-of-folder";
    layers.push(
      ...providerLayers({ entries, precedence: mainEntries, layer: "agent", when, slot }, profiles),
    );
  }
  return { agentId, profile: main?.get("profile") ?? folder?.get("profile"), rules, layers };
}

/**
 * Extends the profile in force: the root's `alsoAllow` where the root chose the profile, an agent's
 * for that agent (POL-021).
 * @param root - the root's lists
 * @param agents - all agents with rules
 * @returns layers to nest in every profile layer
 */
export function profileExtensions(
  root: ConfigRules,
  agents: readonly AgentRules[],
): readonly PolicyLayer[] {
  const slot = "root-also-allow";
  const alsoAllowOf = ({ node, lists: { alsoAllow } }: ConfigRules) =>
    ({ node, lists: defined({ alsoAllow }) }) satisfies ConfigRules;
  const extensions = [layerOf(alsoAllowOf(root), { layer: "profile", slot })];
  for (const { agentId, profile, rules } of agents) {
    const when = { agentId };
    // The root's list extends the root's profile, not one an agent chose for itself.
    if (profile !== undefined) extensions.push({ layer: "profile", slot, when, builtIn: true });
    for (const each of rules) {
      extensions.push(layerOf(alsoAllowOf(each), { layer: "profile", when }));
    }
  }
  return extensions;
}
