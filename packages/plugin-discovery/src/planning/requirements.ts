import type { PluginManifest, PluginRequirement } from "@openclaw/plugin-sdk/manifest";
import { satisfies } from "./version-range.js";

/** Plugin with possible requirements on other plugins. */
export interface Requiring {
  readonly id: string;
  readonly manifest: PluginManifest;
  /** Configuration entry; `ignoreCompat` loads the plugin regardless of its requirements. */
  readonly entry?: { readonly ignoreCompat?: boolean } | undefined;
}

/** Requirement that is not met or cannot be checked. */
export interface RequirementProblem<Plugin> {
  readonly plugin: Plugin;
  readonly message: string;
}

/** Plugins ordered after their requirements, and plugins with unmet requirements. */
export interface OrderedPlugins<Plugin> {
  readonly ordered: readonly Plugin[];
  /** Plugins that are disabled. */
  readonly unmet: readonly RequirementProblem<Plugin>[];
  /** Plugins that are enabled nevertheless. */
  readonly doubtful: readonly RequirementProblem<Plugin>[];
}

/**
 * Orders plugins so that each follows the plugins it requires, otherwise in the given order (PLUG-013, PLUG-024). A plugin
 * with an unsuitable version counts as absent; one whose version cannot be compared counts as present.
 * @param plugins - the enabled plugins, in the order of discovery
 */
export function orderByRequirements<Plugin extends Requiring>(
  plugins: readonly Plugin[],
): OrderedPlugins<Plugin> {
  const byId = byEveryId(plugins);
  const evaluated = plugins.map((plugin) => ({ plugin, ...evaluate(plugin, byId) }));
  const unmet = evaluated.flatMap(({ plugin, conflict }) =>
    conflict === undefined ? [] : [{ plugin, message: conflict }],
  );
  const doubtful = evaluated.flatMap(({ plugin, doubts }) =>
    doubts.map((message) => ({ plugin, message })),
  );
  const remaining = evaluated.filter(({ conflict }) => conflict === undefined);
  const ordered: Plugin[] = [];
  const placed = new Set<Requiring>();
  for (;;) {
    const index = remaining.findIndex(({ needs }) => needs.every((need) => placed.has(need)));
    const [next] = index < 0 ? [] : remaining.splice(index, 1);
    if (next === undefined) break;
    placed.add(next.plugin);
    ordered.push(next.plugin);
  }
  for (const { plugin } of remaining) {
    const message = `what it requires (${requiredIds(plugin).join(", ")}) requires it in turn, or cannot be loaded itself`;
    if (plugin.entry?.ignoreCompat === true) ordered.push(plugin);
    (plugin.entry?.ignoreCompat === true ? doubtful : unmet).push({ plugin, message });
  }
  return { ordered, unmet, doubtful };
}

/** Returns the ids of the plugins that a plugin requires. */
export function requiredIds({ manifest }: Requiring): string[] {
  return (manifest.requiresPlugins ?? []).map(idOf);
}

interface Judgement {
  /** Plugins that must come first. */
  readonly needs: readonly Requiring[];
  readonly conflict: string | undefined;
  readonly doubts: readonly string[];
}

function evaluate(plugin: Requiring, byId: ReadonlyMap<string, Requiring>): Judgement {
  const needs: Requiring[] = [];
  const conflicts: string[] = [];
  const doubts: string[] = [];
  for (const requirement of plugin.manifest.requiresPlugins ?? []) {
    const found = byId.get(idOf(requirement).toLowerCase());
    const fits = found === undefined ? false : fitsVersion(requirement, found);
    if (found !== undefined && fits !== false) needs.push(found);
    if (fits === undefined) doubts.push(whyDoubtful(requirement, found));
    if (fits === false) conflicts.push(whyUnmet(requirement, found));
  }
  if (plugin.entry?.ignoreCompat === true) {
    return { needs, conflict: undefined, doubts: [...conflicts, ...doubts] };
  }
  return { needs, conflict: conflicts.length === 0 ? undefined : conflicts.join("; "), doubts };
}

/** Returns undefined when the versions cannot be compared. */
function fitsVersion(requirement: PluginRequirement, found: Requiring): boolean | undefined {
  if (typeof requirement === "string") return true;
  const { version } = found.manifest;
  return version === undefined ? undefined : satisfies(version, requirement.version);
}

function whyUnmet(requirement: PluginRequirement, found: Requiring | undefined): string {
  if (found === undefined || typeof requirement === "string") {
    return `it requires "${idOf(requirement)}", which is not installed or is off`;
  }
  const { id, version } = requirement;
  return `it requires "${id}" ${version}, and version ${found.manifest.version} is installed`;
}

function whyDoubtful(requirement: PluginRequirement, found: Requiring | undefined): string {
  const asked = typeof requirement === "string" ? "" : requirement.version;
  const version = found?.manifest.version ?? "unknown";
  return `it requires "${idOf(requirement)}" ${asked}, which cannot be compared with the installed version ${version}`;
}

function byEveryId(plugins: readonly Requiring[]): ReadonlyMap<string, Requiring> {
  const byId = new Map<string, Requiring>();
  for (const plugin of plugins) {
    for (const id of plugin.manifest.legacyPluginIds ?? []) byId.set(id.toLowerCase(), plugin);
  }
  for (const plugin of plugins) byId.set(plugin.id.toLowerCase(), plugin);
  return byId;
}

function idOf(requirement: PluginRequirement): string {
  return typeof requirement === "string" ? requirement : requirement.id;
}
