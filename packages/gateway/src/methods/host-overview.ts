import { existsSync } from "node:fs";
import { CORE_TOOL_NAMES } from "@openclaw/core-tools";
import type { PluginOverview } from "@openclaw/plugin-runtime";
import type { PolicyWarning } from "@openclaw/tool-policy";
import { loadConfiguration, type PluginConfigChecks } from "../configuration/configuration.js";
import { ConfigurationError, type ConfigurationProblem } from "../errors.js";
import { hostPolicy } from "../host/policy.js";
import { createHostPlugins, type HostPluginsOptions } from "../plugins/plugins.js";
import { stateFolderAt } from "../state/folder.js";
import { openLog } from "../state/log.js";

/** Locations in which a host would find its plugins. */
export type PluginPlaces = Omit<HostPluginsOptions, "state" | "log"> & {
  readonly stateDir: string;
};

/** Plugins, and the effects of policy on the tools that their manifests declare (POL-025). */
export type PluginInspection = PluginOverview & { readonly policy: readonly PolicyWarning[] };

/**
 * Finds plugins and determines which are enabled, from manifests and configuration only; no plugin is loaded
 * (PLUG-059).
 * @param places - locations of plugins
 */
export async function inspectPlugins(places: PluginPlaces): Promise<PluginInspection> {
  const state = stateFolderAt(places.stateDir);
  const log = openLog(undefined, { level: "silent" });
  const overview = await createHostPlugins({ ...places, state, log }).discover();
  const declared = overview.plugins.flatMap(({ id, enabled, permissions }) =>
    enabled ? [{ pluginId: id, names: permissions.tools ?? [], optional: false }] : [],
  );
  const { warnings } = hostPolicy(places.configuration, CORE_TOOL_NAMES, declared);
  return { ...overview, policy: warnings.filter(isAboutPlugins) };
}

function isAboutPlugins({ code }: PolicyWarning): boolean {
  return code === "POLICY_PLUGIN_HIDDEN";
}

/** Result of the check of a configuration file. */
export interface ConfigurationReport {
  /** False when the file does not exist and defaults apply. */
  readonly exists: boolean;
  readonly errors: readonly ConfigurationProblem[];
  readonly warnings: readonly ConfigurationProblem[];
}

/**
 * Checks a configuration file without starting anything.
 * @param file - absolute path of the file
 * @param checks - checks of bundled plugins
 */
export async function inspectConfiguration(
  file: string,
  checks: PluginConfigChecks = {},
): Promise<ConfigurationReport> {
  const exists = existsSync(file);
  try {
    const { warnings } = await loadConfiguration(file, checks);
    return { exists, errors: [], warnings };
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    return { exists, errors: error.problems, warnings: [] };
  }
}
