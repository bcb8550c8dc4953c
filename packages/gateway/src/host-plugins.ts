import { createPluginRuntime, type PluginRuntime } from "@openclaw/plugin-runtime";
import type { LoadedConfiguration } from "./configuration.js";
import type { Log } from "./log.js";
import type { StateFolder } from "./state-folder.js";

/** What a host knows of its plugins before they are loaded. */
export interface HostPluginsOptions {
  readonly version: string;
  readonly configuration: LoadedConfiguration;
  readonly workspaceDir: string;
  readonly bundledExtensions: readonly string[];
  readonly pluginPaths?: readonly string[];
  readonly state: StateFolder;
  readonly log: Log;
}

/**
 * The plugins of a host: those that come with it, those of its workspace and state folder, and those
 * named on the command line or in the configuration. Nothing is loaded yet.
 * @param options - where they are looked for
 */
export function createHostPlugins(options: HostPluginsOptions): PluginRuntime {
  return createPluginRuntime({
    hostVersion: options.version,
    config: options.configuration.value,
    bundled: [...options.bundledExtensions],
    workspaceDir: options.workspaceDir,
    stateDir: options.state.dir,
    extraPaths: [...(options.pluginPaths ?? [])],
    logger: options.log.logger("plugins"),
  });
}
