import { openCommandPlugins } from "@openclaw/gateway";
import type { CliCommand } from "@openclaw/plugin-sdk/plugin-entry";
import type { Command } from "commander";
import { loadOperatorConfiguration } from "../configuration.js";
import { invokerOf, withGatewayMethods } from "../host/methods.js";
import { bundledExtensions, installation, sdkModules, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
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
 * @param context - terminal and environment
 * @param setExitCode - receives the exit code of the command
 */
export async function addPluginCommands(
  program: Command,
  [name = ""]: readonly string[],
  context: CommandContext,
  setExitCode: (code: ExitCode) => void,
): Promise<AddedCommands> {
  const { environment } = context;
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
    commandServices: {
      setExitCode,
      async listenForLogin(pass) {
        const { LoginListener } = await import("../secrets/login-listener.js");
        return await LoginListener.open(pass);
      },
      callGateway: (method, parameters) =>
        withGatewayMethods(context, (_call, host) => invokerOf(host)(method, parameters)),
    },
  });
  // Commander types the arguments of actions as `any`, which no interface of ours can be compared with.
  await plugins.register(name, program as unknown as CliCommand);
  return plugins;
}

const NONE: AddedCommands = { close: async () => undefined };
