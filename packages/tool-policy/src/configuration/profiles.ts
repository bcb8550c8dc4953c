import { didYouMean, nearestName } from "@openclaw/foundation";
import type { PolicyLayer } from "../layers/layer.js";
import type { PolicySource } from "../layers/source.js";
import { normalizeName } from "../matching/tool-name.js";
import { BUILT_IN_PROFILES } from "./built-in-profiles.js";
import type { ConfigNode } from "./node.js";
import { type ConfigLists, readRules } from "./rules.js";
import type { ToolsConfig } from "./schema.js";

/** Fields of a profile's layer other than the profile's lists. */
export type ProfileLayerFrame = Pick<PolicyLayer, "layer" | "when" | "slot" | "within">;

interface Profile {
  readonly lists: ConfigLists;
  /** Absent for a profile that ships with the product. */
  readonly source?: PolicySource;
}

function layerOfProfile(
  name: string,
  { lists, source }: Profile,
  selectedAt: PolicySource,
  frame: ProfileLayerFrame,
): PolicyLayer {
  const named = { ...frame, ...lists, label: `profile "${name}"` };
  // A built-in profile is not written in any file; the reader can change the place that selected
  // it.
  return source === undefined
    ? { ...named, source: selectedAt, builtIn: true }
    : { ...named, source };
}

/** The profiles that configuration may name (POL-008). */
export class ConfigProfiles {
  readonly #profiles = new Map<string, Profile>(
    [...BUILT_IN_PROFILES].map(([name, allow]) => [name, { lists: { allow } }]),
  );

  /** @param node - `tools.profiles` */
  constructor(node: ConfigNode<NonNullable<ToolsConfig["profiles"]>> | undefined) {
    const written = new Set<string>();
    for (const [key, definition] of node?.entries() ?? []) {
      const name = normalizeName(key);
      const { lists } = readRules(definition);
      if (written.has(name)) {
        definition.error(
          "POLICY_BAD_VALUE",
          `profile "${name}" is defined twice`,
          "merge the two; names are case-insensitive",
        );
      } else if (BUILT_IN_PROFILES.has(name)) {
        definition.notice(
          "POLICY_PROFILE_REPLACED",
          `this profile replaces the built-in profile "${name}"`,
          "choose another name to keep both",
        );
      }
      written.add(name);
      this.#profiles.set(name, { lists, source: definition.source });
    }
  }

  /**
   * Returns a layer with the lists of the profile that a value names; reports an undefined profile.
   * @param node - the value, for example `tools.profile`
   * @param frame - name and scope of the layer
   */
  select(node: ConfigNode<string>, frame: ProfileLayerFrame): PolicyLayer | undefined {
    const name = normalizeName(node.value);
    const profile = this.#profiles.get(name);
    if (profile !== undefined) return layerOfProfile(name, profile, node.source, frame);
    const known = [...this.#profiles.keys()];
    const near = nearestName(name, known);
    node.error(
      "POLICY_UNKNOWN_PROFILE",
      `unknown profile "${name}"`,
      didYouMean(near) ?? `use one of ${known.join(", ")}`,
    );
    return undefined;
  }

  /**
   * Returns a layer for every profile, for contexts that name one.
   * @param section - location of the profiles
   */
  all(section: PolicySource, frame: ProfileLayerFrame): readonly PolicyLayer[] {
    return [...this.#profiles].map(([name, profile]) =>
      layerOfProfile(name, profile, section, { ...frame, when: { profile: name } }),
    );
  }
}
