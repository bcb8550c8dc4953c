import { existsSync } from "node:fs";
import {
  type LoadedConfiguration,
  loadConfiguration,
  type OpenClawConfiguration,
  type PluginConfigChecks,
} from "@openclaw/configuration";
import { stateFolderAt } from "@openclaw/gateway";
import { configurationFileOf, stateDirOf } from "./installation.js";

/** Checks of the bundled extensions' configuration beyond its schema. */
export const EXTENSION_CHECKS: PluginConfigChecks = {
  async approvals({ rules }) {
    if (rules === undefined) return [];
    const { ruleProblems } = await import("@openclaw/approvals/command-evaluator");
    return ruleProblems(rules);
  },
};

/** Checks of the bundled extensions' settings that only a change has to pass; the extensions are loaded without them. */
export const SETTING_CHECKS: PluginConfigChecks = {
  async "declarative-hooks"(config, { tools }) {
    const [{ hookProblems }, { LinearPattern, NetworkPolicy }] = await Promise.all([
      import("@openclaw/declarative-hooks/definitions"),
      import("@openclaw/safety"),
    ]);
    const network = new NetworkPolicy({ allowHosts: tools?.http?.allowHosts ?? [] });
    return hookProblems(config, {
      compile: (source, options) => new LinearPattern(source, options),
      checkUrl: (url) => network.checkUrl(url),
    });
  },
};

/**
 * Reads and checks the operator's configuration as a gateway uses it: variables over settings of the database over the
 * file over defaults (HOST-007), including the rules of the bundled extensions.
 * @param environment - environment variables of the command
 * @throws ConfigurationError that lists every problem with file, line, column, key and suggestion
 * @throws StoreUnavailableError, SchemaTooNewError of the database
 */
export async function loadOperatorConfiguration(
  environment: NodeJS.ProcessEnv,
): Promise<LoadedConfiguration> {
  return await settingsOverlay(environment)(await loadFileConfiguration(environment));
}

/**
 * Returns what lays the settings of the database over a configuration of the file.
 * @param environment - environment variables of the command
 */
export function settingsOverlay(
  environment: NodeJS.ProcessEnv,
): (loaded: LoadedConfiguration) => Promise<LoadedConfiguration> {
  return async (loaded) => {
    const state = stateFolderAt(stateDirOf(environment));
    const { store } = loaded.value;
    // Commands of an installation without a database load no code for it.
    if (store?.url === undefined && !existsSync(state.databaseFile)) return loaded;
    const [{ existingSettings }, { withSettings }] = await Promise.all([
      import("@openclaw/gateway/upkeep"),
      import("@openclaw/gateway/configuration"),
    ]);
    const settings = await existingSettings(state, store);
    return await withSettings(loaded, settings, { checks: EXTENSION_CHECKS, environment });
  };
}

/**
 * Reads and checks the configuration file alone, for a start, which lays the settings of the database over it by itself.
 * Everything else uses {@link loadOperatorConfiguration} or {@link loadEarlySections}.
 * @param environment - environment variables of the command
 * @throws ConfigurationError that lists every problem with file, line, column, key and suggestion
 */
export async function loadFileConfiguration(
  environment: NodeJS.ProcessEnv,
): Promise<LoadedConfiguration> {
  return await loadConfiguration(configurationFileOf(environment), {
    checks: EXTENSION_CHECKS,
    environment,
  });
}

/**
 * Returns the sections that are read before the database is open, and cannot be stored in it.
 * @param environment - environment variables of the command
 * @throws ConfigurationError that lists every problem with file, line, column, key and suggestion
 */
export async function loadEarlySections(
  environment: NodeJS.ProcessEnv,
): Promise<Pick<OpenClawConfiguration, "store" | "gateway">> {
  const { store, gateway } = (await loadFileConfiguration(environment)).value;
  return { ...(store && { store }), ...(gateway && { gateway }) };
}
