import {
  type LoadedConfiguration,
  loadConfiguration,
  type PluginConfigChecks,
} from "@openclaw/gateway";
import { configurationFileOf } from "./installation.js";

/** Checks of the bundled extensions' configuration beyond its schema. */
export const EXTENSION_CHECKS: PluginConfigChecks = {
  async approvals({ rules }) {
    if (rules === undefined) return [];
    const { ruleProblems } = await import("@openclaw/approvals/command-evaluator");
    return ruleProblems(rules);
  },
};

/**
 * Reads and checks the operator's configuration, including the rules of the bundled extensions.
 * @param environment - environment variables of the command
 * @throws ConfigurationError that lists every problem with file, line, column, key and suggestion
 */
export async function loadOperatorConfiguration(
  environment: NodeJS.ProcessEnv,
): Promise<LoadedConfiguration> {
  return await loadConfiguration(configurationFileOf(environment), {
    checks: EXTENSION_CHECKS,
    environment,
  });
}
