import { stateFolderAt, TrustedFolders } from "@openclaw/gateway";
import { type DatabaseOwner, type DataPorts, dataPortsOf } from "@openclaw/gateway/upkeep";
import { loadEarlySections, loadOperatorConfiguration } from "../configuration.js";
import { bundledExtensions, installation, sdkModules, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { workspaceFolderOf } from "../workspaces/folder.js";

/**
 * Returns the database owner that a `db` command works on, without starting a host.
 * @throws ConfigurationError when the configuration is not valid
 */
export async function databaseOwner({
  environment,
}: Pick<CommandContext, "environment">): Promise<DatabaseOwner> {
  const { store } = await loadEarlySections(environment);
  return { state: stateFolderAt(stateDirOf(environment)), configuration: store };
}

/**
 * Returns what finds the data ports of the operator's plugins.
 * @throws ConfigurationError when the configuration is not valid
 */
export async function ownedDataPorts({
  environment,
}: Pick<CommandContext, "environment">): Promise<DataPorts> {
  const configuration = await loadOperatorConfiguration(environment);
  const stateDir = stateDirOf(environment);
  const trusted = new TrustedFolders(stateFolderAt(stateDir).trustedFoldersFile);
  return dataPortsOf({
    version: installation.version,
    configuration,
    stateDir,
    workspaceDir: workspaceFolderOf(environment, configuration).dir,
    isTrusted: (folder) => trusted.includes(folder),
    bundledExtensions: bundledExtensions(),
    sdkModules: sdkModules(),
    environment,
  });
}
