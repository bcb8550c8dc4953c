import { stateFolderAt } from "@openclaw/gateway";
import type { DatabaseOwner } from "@openclaw/gateway/upkeep";
import { loadOperatorConfiguration } from "../configuration.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";

/**
 * Returns the database owner that a `db` command works on, without starting a host.
 * @param context - environment
 * @throws ConfigurationError when the configuration is not valid
 */
export async function databaseOwner({
  environment,
}: Pick<CommandContext, "environment">): Promise<DatabaseOwner> {
  const { value } = await loadOperatorConfiguration(environment);
  return { state: stateFolderAt(stateDirOf(environment)), configuration: value.store };
}
