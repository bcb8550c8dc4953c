import { stateFolderAt } from "@openclaw/gateway";
import type { DatabaseOwner } from "@openclaw/gateway/upkeep";
import { loadOperatorConfiguration } from "../configuration.js";
import { stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";

/**
 * The host whose database a command works on, without starting it.
 * @param context - environment
 * @throws ConfigurationError when the configuration cannot be used
 */
export async function databaseOwner({ environment }: CommandContext): Promise<DatabaseOwner> {
  const { value } = await loadOperatorConfiguration(environment);
  return { state: stateFolderAt(stateDirOf(environment)), configuration: value.store };
}
