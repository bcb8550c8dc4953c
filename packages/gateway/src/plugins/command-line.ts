import { configuredModels } from "@openclaw/agent";
import { modelBudgets } from "@openclaw/configuration";
import { defaultAgentOf } from "@openclaw/messaging";
import { ModelTable } from "@openclaw/models";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { CliCommand, CliContext } from "@openclaw/plugin-sdk/plugin-entry";
import { HostEmbeddings } from "../host/embeddings/host-embeddings.js";
import { HostModels } from "../host/model.js";
import { hostSafety } from "../host/safety.js";
import { openStateFolder } from "../state/folder.js";
import { logLevels, openLog } from "../state/log.js";
import { openCommandStores } from "../state/store.js";
import { createHostPlugins, type HostPluginsOptions } from "./plugins.js";
import { createPluginEmbeddingPort } from "./ports/embeddings.js";

/** Locations of plugins. */
export type CommandPluginsOptions = Omit<HostPluginsOptions, "state" | "log"> & {
  readonly stateDir: string;
  /** Services of the command line for commands of plugins; absent where there is none. */
  readonly commandServices?:
    | Pick<CliContext, "callGateway" | "setExitCode" | "listenForLogin">
    | undefined;
};

/** Plugins that are loaded for a command of the command line. */
export interface CommandPlugins {
  /** Names of the commands that plugins add. */
  readonly commands: readonly string[];
  /**
   * Adds the commands of the plugin that has a command.
   * @param name - first word of the command line
   * @param program - receives the commands
   * @returns false when no plugin has it
   */
  register(name: string, program: CliCommand): Promise<boolean>;
  /** Unloads the plugins. */
  close(): Promise<void>;
}

/**
 * Loads the plugins for a command that the command line itself does not have (PLUG-035). Services do not start, and
 * nothing listens; the plugins have their stores and the embedding models, also while a host runs.
 * @param options - locations of plugins, and the state folder
 */
export async function openCommandPlugins(options: CommandPluginsOptions): Promise<CommandPlugins> {
  const state = openStateFolder(options.stateDir);
  const log = openLog(state.logFile, logLevels(options.configuration.value.logging));
  const pluginStores = openCommandStores({
    state,
    configuration: options.configuration.value.store,
    environment: options.environment,
  });
  const models = new HostModels();
  const { configuration, environment = process.env } = options;
  const services = () => ({
    embeddings: models.embeddings(runtime.current),
    safety: hostSafety(
      configuration,
      environment,
      runtime.current.safetyRules.map(({ rule }) => rule),
    ),
  });
  const spending = async () => ({
    dependencies: {
      store: await pluginStores.host(),
      logger: log.logger("models"),
      budgets: modelBudgets(configuration.value, environment),
      modelTable: new ModelTable(configuredModels(configuration.value.models)),
    },
    agentId: defaultAgentOf(configuration.value),
  });
  const embeddings = new HostEmbeddings({ configuration, environment }, services, spending);
  const runtime = createHostPlugins({
    ...options,
    state,
    log,
    pluginStores,
    agents: { embeddings: createPluginEmbeddingPort(() => embeddings) },
  });
  const generation: PluginGeneration = await runtime.load();
  const { cliRegistrars } = generation;
  return {
    commands: cliRegistrars.flatMap(({ commands }) => commands),
    async register(name, program) {
      const named = cliRegistrars.find(({ commands }) => commands.includes(name));
      // Older plugins do not list their commands.
      const called = named === undefined ? cliRegistrars.filter(isUnlisted) : [named];
      for (const { registrar, pluginId, config: visible } of called) {
        const logger = log.logger("plugins", { pluginId });
        const { workspaceDir } = options;
        const config = visible();
        await runtime.callPlugin(pluginId, () =>
          registrar({ program, config, logger, workspaceDir, ...options.commandServices }),
        );
      }
      return called.length > 0;
    },
    async close() {
      await runtime.dispose();
      await pluginStores.close();
      log.close();
    },
  };
}

function isUnlisted({ commands }: { readonly commands: readonly string[] }): boolean {
  return commands.length === 0;
}
