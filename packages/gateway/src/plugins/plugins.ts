import type {
  LoadedConfiguration,
  OpenClawConfiguration,
  PluginConfigChecks,
} from "@openclaw/configuration";
import { CORE_TOOL_NAMES } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import {
  defaultAgentOf,
  expandSessionKey,
  HOST_CHANNELS,
  RESERVED_COMMAND_NAMES,
  type SessionStates,
} from "@openclaw/messaging";
import { createFilesCheck } from "@openclaw/plugin-install";
import type { PluginFaults } from "@openclaw/plugin-loader";
import {
  createPluginRuntime,
  type PluginRuntime,
  type PluginRuntimeOptions,
} from "@openclaw/plugin-runtime";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { CronService } from "@openclaw/plugin-sdk/hooks";
import type {
  HostAgentPort,
  HostApprovalPort,
  HostEvent,
  HostJobPort,
  HostMessagePort,
  HostOAuthPort,
  HostOutsidePort,
  HostSchedulePort,
} from "@openclaw/plugin-sdk/services";
import { gatewayMethods, type PluginEventPublisher } from "@openclaw/protocol";
import { addedRuleProblems } from "@openclaw/safety";
import { HOST_PATHS } from "@openclaw/server";
import type { PluginStores } from "@openclaw/store";
import type { StateFolder } from "../state/folder.js";
import type { Log } from "../state/log.js";
import { createCommandRunner } from "./command-runner.js";
import { createPluginConfigurationPort } from "./ports/configuration.js";
import { createProcessStarter } from "./ports/process-starter.js";

/** Options of {@link createHostPlugins}. */
export interface HostPluginsOptions {
  readonly version: string;
  /** Single version of the plugin API to support; all supported ones when absent. */
  readonly pluginApi?: string | undefined;
  readonly configuration: LoadedConfiguration;
  /** Configuration with the values of stored secrets, for plugins; `configuration` when absent. */
  readonly pluginConfiguration?: OpenClawConfiguration | undefined;
  readonly workspaceDir: string;
  /** Returns true for a folder whose plugins may be loaded; every folder when absent. */
  isTrusted?(folder: string): boolean;
  readonly bundledExtensions: readonly string[];
  readonly pluginPaths?: readonly string[] | undefined;
  /** Plugins given as objects, without files; they count as bundled. */
  readonly inlinePlugins?: readonly PluginDefinition[] | undefined;
  /**
   * Modules, in addition to the SDK, that plugins may import below `openclaw/plugin-sdk`: URL by specifier.
   */
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  /** Port to listen on; undefined serves no HTTP. */
  readonly port?: number | undefined;
  /** Environment of which programs of plugins get a part; that of the process when absent. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Stores of plugins; the caller closes them. Without them `api.store` is missing. */
  readonly pluginStores?: PluginStores | undefined;
  /** Values that plugins keep with sessions; without it that part of their `api` is missing. */
  readonly sessionStates?: SessionStates | undefined;
  /** Approval port of plugins outside tool calls; without it that part of their `api` is missing. */
  readonly pluginApprovals?: HostApprovalPort["approvals"] | undefined;
  /** Receives the events of plugins for connected clients; without it that part of their `api` is missing. */
  readonly events?: PluginEventPublisher | undefined;
  /** Jobs for plugins; without them that part of their `api` is missing. */
  readonly jobs?: HostJobPort["jobs"] | undefined;
  /** Models and agents for plugins; without it that part of their `api` is missing. */
  readonly agents?: (HostAgentPort & HostMessagePort) | undefined;
  /** Returns access tokens of OAuth credentials; without it that part of their `api` is missing. */
  readonly accessToken?: HostOAuthPort["accessToken"] | undefined;
  /** Returns the routines for plugins; without it that part of their contexts is missing. */
  readonly getCron?: (() => CronService) | undefined;
  /** Repeats work of plugins; without it their services can repeat none. */
  readonly repeat?: HostSchedulePort["repeat"] | undefined;
  /** Path of the configuration file; without it plugins cannot change the configuration. */
  readonly configurationFile?: string | undefined;
  /** Checks of bundled plugins, for changed configurations. */
  readonly configurationChecks?: PluginConfigChecks | undefined;
  /** Port through which plugins run programs and make requests; the host's own when absent. */
  readonly outside?: HostOutsidePort | undefined;
  /** Receives the faults of the plugins; they are logged when absent. */
  readonly faults?: PluginFaults | undefined;
  /** Receives each use of a part of the SDK that this host lacks. */
  readonly onMissingUse?: PluginRuntimeOptions["onMissingUse"];
  /** Clock and other options of the hook engine. */
  readonly hooks?: PluginRuntimeOptions["hooks"] | undefined;
  readonly state: StateFolder;
  readonly log: Log;
}

/** Registrations that a host with a port acts on. */
const SERVED_BY_PORT = ["httpRoutes"] as const;

/**
 * Creates the plugin runtime of a host with its bundled plugins, those of its workspace and state folder, and
 * those given on the command line or in the configuration. Nothing is loaded yet.
 * @param options - locations of plugins
 */
export function createHostPlugins(options: HostPluginsOptions): PluginRuntime {
  const { pluginStores, sessionStates, pluginApprovals, events } = options;
  const { configurationFile, configurationChecks: checks, environment } = options;
  return createPluginRuntime({
    hostVersion: options.version,
    config: options.pluginConfiguration ?? options.configuration.value,
    bundled: [...options.bundledExtensions],
    get workspaceDir() {
      return options.workspaceDir;
    },
    isWorkspaceTrusted: () => options.isTrusted?.(options.workspaceDir) ?? true,
    stateDir: options.state.dir,
    extraPaths: [...(options.pluginPaths ?? [])],
    inline: options.inlinePlugins ?? [],
    logger: options.log.logger("plugins"),
    checkFiles: createFilesCheck(options.state),
    allowHosts: () => options.configuration.value.tools?.http?.allowHosts,
    hostServices: {
      names: {
        tools: CORE_TOOL_NAMES,
        commands: RESERVED_COMMAND_NAMES,
        httpPaths: HOST_PATHS,
        channels: HOST_CHANNELS,
        gatewayMethods: Object.keys(gatewayMethods),
      },
      hosts: [
        "channels",
        "adapterChannels",
        "commands",
        "trustedToolPolicies",
        "safetyRules",
        "contextEngines",
        "compactionProviders",
        "agentHarnesses",
        "toolResultMiddlewares",
        "toolMetadata",
        "reloadRules",
        "cliCommands",
        "gatewayMethods",
        ...(sessionStates === undefined ? [] : (["sessionExtensions"] as const)),
        ...(pluginApprovals === undefined ? [] : (["approvals"] as const)),
        ...(options.accessToken === undefined ? [] : (["oauthCredentials"] as const)),
        ...(options.port === undefined ? [] : SERVED_BY_PORT),
      ],
      gatewayHosts: SERVED_BY_PORT,
      checkSafetyRule: (rule) => addedRuleProblems(rule, options.configuration.value.safety?.added),
      runCommand: createCommandRunner(options.environment ?? process.env),
      startProcess: createProcessStarter(options.environment ?? process.env, options.state.dir),
      redact: (value) => options.log.redact(value),
      findSecrets: (text) => options.log.findSecrets(text),
      isVerbose: () => options.configuration.value.logging?.level === "debug",
      fullSessionKey: (key) => expandSessionKey(key, defaultAgentOf(options.configuration.value)),
      ...options.agents,
      ...options.outside,
      ...sessionStates?.services,
      ...defined({
        configFile:
          configurationFile === undefined
            ? undefined
            : createPluginConfigurationPort(
                configurationFile,
                { checks, environment },
                options.log.logger("plugins"),
              ),
        approvals: pluginApprovals,
        jobs: options.jobs,
        getCron: options.getCron,
        repeat: options.repeat,
        accessToken: options.accessToken,
        publishEvent:
          events && ((_id: string, event: HostEvent) => events.publishPluginEvent(event)),
        openStore: pluginStores && ((id: string) => pluginStores.of(id)),
      }),
    },
    ...defined({
      pluginApi: options.pluginApi,
      sdkModules: options.sdkModules,
      hooks: options.hooks,
      faults: options.faults,
      onMissingUse: options.onMissingUse,
    }),
  });
}
