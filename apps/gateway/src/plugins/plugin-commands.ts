import { openCommandPlugins } from "@openclaw/gateway";
import type { CliCommand } from "@openclaw/plugin-sdk/plugin-entry";
import type { Command } from "commander";
import { loadOperatorConfiguration } from "../configuration.js";
import { bundledExtensions, installation, sdkModules, stateDirOf } from "../installation.js";
import { workspaceFolderOf } from "../workspaces/folder.js";

/** Commands that plugins added to the command line. */
export interface AddedCommands {
  /** Unloads the plugins. */
  close(): Promise<void>;
}

/**
 * Adds the commands of a plugin when the arguments begin with a word that is not a command of `openclaw` (PLUG-035). Other
 * commands load no plugin.
 * @param program - the program with its own commands
 * @param args - arguments without the program's name
 * @param environment - environment variables of the process
 */
export async function addPluginCommands(
  program: Command,
  [name = ""]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<AddedCommands> {
  const known = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  if (name === "" || name.startsWith("-") || [...known, "help"].includes(name)) return NONE;
  const configuration = await loadOperatorConfiguration(environment);
  const plugins = await openCommandPlugins({
    version: installation.version,
    configuration,
    stateDir: stateDirOf(environment),
    workspaceDir: workspaceFolderOf(environment, configuration).dir,
    bundledExtensions: bundledExtensions(),
    sdkModules: sdkModules(),
    environment,
  });
  // Commander types the arguments of actions as `any`, which no interface of ours can be compared with.
  await plugins.register(name, program as unknown as CliCommand);
  return plugins;
}

const NONE: AddedCommands = { close: async () => undefined };
