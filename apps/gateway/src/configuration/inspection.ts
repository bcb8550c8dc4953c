import type { ConfigurationChange, EntryCheck, LoadedConfiguration } from "@openclaw/configuration";
import {
  createEntryCheck,
  type IncompleteChannel,
  incompleteChannels,
  inspectConfiguration,
  uncheckedChannels,
} from "@openclaw/gateway/configuration";
import { EXTENSION_CHECKS, SETTING_CHECKS, settingsOverlay } from "../configuration.js";
import { findRunningGateway } from "../host/running-gateway.js";
import {
  bundledExtensions,
  configurationFileOf,
  installation,
  stateDirOf,
} from "../installation.js";
import { workspaceFolderOf } from "../workspaces/folder.js";

/**
 * Checks the configuration file of the operator, for `config validate` and `doctor`.
 * @param environment - environment variables
 * @param overlay - lays the settings of the database over the file
 */
export function inspectOperatorConfiguration(
  environment: NodeJS.ProcessEnv,
  overlay = settingsOverlay(environment),
): ReturnType<typeof inspectConfiguration> {
  return inspectConfiguration(
    configurationFileOf(environment),
    { checks: EXTENSION_CHECKS, environment, overlay },
    { ...placesOf(environment), madeTools: () => runningComponentTools(environment) },
  );
}

/**
 * Creates the check of the plugins, channels and tools that a change of the operator's configuration names.
 * @param environment - environment variables
 */
export function operatorEntryCheck(environment: NodeJS.ProcessEnv): EntryCheck {
  return createEntryCheck({
    ...placesOf(environment),
    settingChecks: SETTING_CHECKS,
    madeTools: () => runningComponentTools(environment),
  });
}

/**
 * Returns the channels that a change names and that are not started yet, because they lack settings.
 * @param configuration - configuration with the change
 * @param changes - changes that were made
 * @param environment - environment variables
 */
export function operatorIncompleteChannels(
  configuration: LoadedConfiguration,
  changes: readonly ConfigurationChange[],
  environment: NodeJS.ProcessEnv,
): Promise<readonly IncompleteChannel[]> {
  const changed = changes.map(([path]) => path);
  return incompleteChannels(configuration, changed, placesOf(environment));
}

/**
 * Returns the channels that a change names and whose settings nothing checks.
 * @param configuration - configuration with the change
 * @param changes - changes that were made
 * @param environment - environment variables
 */
export function operatorUncheckedChannels(
  configuration: LoadedConfiguration,
  changes: readonly ConfigurationChange[],
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  // What was removed needs no check.
  const changed = changes.flatMap(([path, value]) => (value === undefined ? [] : [path]));
  return uncheckedChannels(configuration, changed, placesOf(environment));
}

/** Returns the tools of components of the running gateway; none is known without one. */
async function runningComponentTools(environment: NodeJS.ProcessEnv) {
  const running = await findRunningGateway(environment);
  if (running?.http === undefined) return [];
  // One that does not answer reads the change later, and what is not known is only a warning.
  const { tools } = await running.http.client
    .call("tools.catalog", {})
    .catch(() => ({ tools: [] }));
  return tools.flatMap(({ name, kind, pluginId = "", optional = false }) =>
    kind === "wasm" ? [{ names: [name], pluginId, optional }] : [],
  );
}

/** Locations of plugins. */
function placesOf(environment: NodeJS.ProcessEnv) {
  return {
    version: installation.version,
    stateDir: stateDirOf(environment),
    workspaceOf: (configuration: LoadedConfiguration) =>
      workspaceFolderOf(environment, configuration).dir,
    bundledExtensions: bundledExtensions(),
  };
}
