import type { LayerName, LayerScope, PolicyLayer } from "../layers/layer.js";
import { normalizeName } from "../matching/tool-name.js";
import type { ConfigNode } from "./node.js";
import type { ConfigProfiles } from "./profiles.js";
import { layerOf, readRules, yieldAllow } from "./rules.js";
import type { ToolRulesConfig } from "./schema.js";

/** The two spellings of the section. */
const PROVIDER_KEYS = ["byProvider", "providers"] as const;

type ProviderRules = NonNullable<ToolRulesConfig["byProvider"]>[string];

/** The entries of a `byProvider` section by normalised key. */
export type ProviderEntries = ReadonlyMap<string, ConfigNode<ProviderRules>>;

/** Fields shared by the entries of one `byProvider` section. */
export interface ProviderSection {
  readonly entries: ProviderEntries;
  /** Entries of another file whose profile and allow lists go first (POL-011). */
  readonly precedence?: ProviderEntries | undefined;
  readonly layer: LayerName;
  /** Joined with the provider and model of each entry. */
  readonly when: LayerScope;
  readonly slot: string;
}

function scopeOf(key: string): LayerScope | undefined {
  const slash = key.indexOf("/");
  if (slash < 0) return { provider: key };
  const provider = key.slice(0, slash);
  const model = key.slice(slash + 1);
  return provider === "" || model === "" ? undefined : { provider, model };
}

/**
 * Reads both spellings of the section; a key that occurs twice is reported.
 * @param tools - `tools`, or the tools of an agent
 */
export function providerEntries(tools: ConfigNode<ToolRulesConfig>): ProviderEntries {
  const entries = new Map<string, ConfigNode<ProviderRules>>();
  for (const spelling of PROVIDER_KEYS) {
    for (const [written, node] of tools.get(spelling)?.entries() ?? []) {
      const key = normalizeName(written);
      const first = entries.get(key);
      if (first === undefined) {
        entries.set(key, node);
        continue;
      }
      node.error(
        "POLICY_DUPLICATE_PROVIDER_KEY",
        `provider key "${key}" is already defined as ${first.source.key}`,
        "merge the two",
      );
    }
  }
  return entries;
}

/**
 * Makes the layers of a `byProvider` section. Of two entries that fit, `provider/model` replaces `provider`
 * (POL-009).
 * @param section - the section and the frame of its layers
 * @param profiles - profiles an entry may name
 */
export function providerLayers(
  { entries, precedence, layer, when, slot }: ProviderSection,
  profiles: ConfigProfiles,
): readonly PolicyLayer[] {
  const layers: PolicyLayer[] = [];
  for (const [key, node] of entries) {
    const scope = scopeOf(key);
    if (scope === undefined) {
      node.error(
        "POLICY_BAD_VALUE",
        `expected "provider" or "provider/model", got "${key}"`,
        "write both parts, or the provider alone",
      );
      continue;
    }
    const first = precedence?.get(key);
    const selected = first?.get("profile") === undefined ? node.get("profile") : undefined;
    const profile = selected === undefined ? undefined : profiles.select(selected, { layer });
    layers.push(
      layerOf(yieldAllow(readRules(node), first), {
        layer,
        slot,
        when: { ...when, ...scope },
        label: `for ${key}`,
        ...(profile === undefined ? {} : { within: [profile] }),
      }),
    );
  }
  return layers;
}
