import { existsSync } from "node:fs";
import type { PluginOverview } from "@openclaw/plugin-runtime";
import { loadConfiguration } from "./configuration.js";
import { ConfigurationError, type ConfigurationProblem } from "./errors.js";
import { createHostPlugins, type HostPluginsOptions } from "./host-plugins.js";
import { openLog } from "./log.js";
import { stateFolderAt } from "./state-folder.js";

/** Where a host would find its plugins. */
export type PluginPlaces = Omit<HostPluginsOptions, "state" | "log"> & {
  readonly stateDir: string;
};

/**
 * Finds plugins and decides which are on, from manifests and configuration alone; no plugin is loaded
 * (PLUG-059).
 * @param places - where to look
 */
export function inspectPlugins(places: PluginPlaces): Promise<PluginOverview> {
  const state = stateFolderAt(places.stateDir);
  return createHostPlugins({ ...places, state, log: openLog(undefined, "silent") }).discover();
}

/** What a check of a configuration file found. */
export interface ConfigurationReport {
  /** False when there is no file and everything has its default. */
  readonly exists: boolean;
  readonly errors: readonly ConfigurationProblem[];
  readonly warnings: readonly ConfigurationProblem[];
}

/**
 * Checks a configuration file without starting anything.
 * @param file - absolute path
 */
export async function inspectConfiguration(file: string): Promise<ConfigurationReport> {
  const exists = existsSync(file);
  try {
    const { warnings } = await loadConfiguration(file);
    return { exists, errors: [], warnings };
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    return { exists, errors: error.problems, warnings: [] };
  }
}
