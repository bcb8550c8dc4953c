import {
  ConfigurationError,
  findLastGood,
  type LoadedConfiguration,
  loadConfiguration,
  stateFolderAt,
} from "@openclaw/gateway";
import { EXTENSION_CHECKS, loadFileConfiguration } from "../configuration.js";
import { configurationFileOf, stateDirOf } from "../installation.js";

/**
 * Returns the configuration of the files, else the last good one, with which a gateway runs while they are not valid.
 * @param environment - environment variables of the command
 * @throws ConfigurationError when the files are not valid and there is no last good configuration
 */
export async function configurationInForce(
  environment: NodeJS.ProcessEnv,
): Promise<LoadedConfiguration> {
  try {
    return await loadFileConfiguration(environment);
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    const state = stateFolderAt(stateDirOf(environment));
    const kept = findLastGood(state, configurationFileOf(environment));
    if (kept === undefined) throw error;
    return loadConfiguration(kept.file, { checks: EXTENSION_CHECKS, environment });
  }
}
