import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";

/** A plugin that may require others. */
export interface Requiring {
  readonly id: string;
  readonly manifest: PluginManifest;
}

/** Plugins in an order in which each comes after what it requires, and those that cannot be placed. */
export interface OrderedPlugins<Plugin> {
  readonly ordered: readonly Plugin[];
  readonly unmet: readonly { readonly plugin: Plugin; readonly problem: string }[];
}

/**
 * Orders plugins so that each follows the ones it requires, otherwise as they came (PLUG-013, PLUG-024).
 * @param plugins - those that are on, in the order of discovery
 */
export function orderByRequirements<Plugin extends Requiring>(
  plugins: readonly Plugin[],
): OrderedPlugins<Plugin> {
  const remaining = [...plugins];
  const ordered: Plugin[] = [];
  const placed = new Set<string>();
  for (;;) {
    const index = remaining.findIndex((plugin) =>
      requiredIds(plugin).every((id) => placed.has(id)),
    );
    const [next] = index < 0 ? [] : remaining.splice(index, 1);
    if (next === undefined) break;
    placed.add(next.id);
    ordered.push(next);
  }
  const on = new Set(plugins.map((plugin) => plugin.id));
  const unmet = remaining.map((plugin) => ({ plugin, problem: whyUnmet(plugin, on) }));
  return { ordered, unmet };
}

/**
 * Ids of the plugins that a plugin requires.
 * @param plugin - any plugin
 */
export function requiredIds({ manifest }: Requiring): string[] {
  return (manifest.requiresPlugins ?? []).map((required) =>
    typeof required === "string" ? required : required.id,
  );
}

function whyUnmet(plugin: Requiring, on: ReadonlySet<string>): string {
  const missing = requiredIds(plugin).filter((id) => !on.has(id));
  if (missing.length > 0) {
    return `it requires ${missing.map((id) => `"${id}"`).join(" and ")}, which is not installed or is off`;
  }
  return `what it requires (${requiredIds(plugin).join(", ")}) requires it in turn, or cannot be loaded itself`;
}
