import {
  type LoadedConfiguration,
  loadConfiguration,
  type PluginConfigChecks,
} from "@openclaw/gateway";
import { configurationFileOf } from "./installation.js";

/** What the bundled extensions check in their configuration beyond its schema. */
export const EXTENSION_CHECKS: PluginConfigChecks = {
  async approvals({ rules }) {
    if (rules === undefined) return [];
    const { ruleProblems } = await import("@openclaw/approvals/command-evaluator");
    return ruleProblems(rules);
  },
};

/**
 * Reads and checks the operator's configuration, with the rules of the bundled extensions.
 * @param environment - of the command
 * @throws ConfigurationError with every problem, each with file, line, column, key and suggestion
 */
export async function loadOperatorConfiguration(
  environment: NodeJS.ProcessEnv,
): Promise<LoadedConfiguration> {
  return await loadConfiguration(configurationFileOf(environment), EXTENSION_CHECKS);
}
