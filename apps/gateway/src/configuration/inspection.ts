import {
  createEntryCheck,
  type EntryCheck,
  inspectConfiguration,
} from "@openclaw/gateway/configuration";
import { EXTENSION_CHECKS, settingsOverlay } from "../configuration.js";
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
 */
export function inspectOperatorConfiguration(
  environment: NodeJS.ProcessEnv,
): ReturnType<typeof inspectConfiguration> {
  return inspectConfiguration(
    configurationFileOf(environment),
    { checks: EXTENSION_CHECKS, environment, overlay: settingsOverlay(environment) },
    {
      version: installation.version,
      stateDir: stateDirOf(environment),
      workspaceOf: (configuration) => workspaceFolderOf(environment, configuration).dir,
      bundledExtensions: bundledExtensions(),
    },
  );
}

/**
 * Creates the check of the plugins and channels that a change of the operator's configuration names.
 * @param environment - environment variables
 */
export function operatorEntryCheck(environment: NodeJS.ProcessEnv): EntryCheck {
  return createEntryCheck({
    version: installation.version,
    stateDir: stateDirOf(environment),
    workspaceOf: (configuration) => workspaceFolderOf(environment, configuration).dir,
    bundledExtensions: bundledExtensions(),
  });
}
