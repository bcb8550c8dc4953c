import { CORE_TOOL_NAMES } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import type { SessionStates } from "@openclaw/messaging";
import {
  createPluginRuntime,
  type PluginRuntime,
  type PluginRuntimeOptions,
} from "@openclaw/plugin-runtime";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { HostApprovalPort, HostOutsidePort } from "@openclaw/plugin-sdk/services";
import { addedRuleProblems } from "@openclaw/safety";
import { HOST_PATHS } from "@openclaw/server";
import type { PluginStores } from "@openclaw/store";
import type { LoadedConfiguration } from "../configuration/configuration.js";
import type { StateFolder } from "../state/folder.js";
import type { Log } from "../state/log.js";
import { createCommandRunner } from "./command-runner.js";

/** What a host knows of its plugins before they are loaded. */
export interface HostPluginsOptions {
  readonly version: string;
  /** The one version of the plugin API to claim; all that are served when absent. */
  readonly pluginApi?: string | undefined;
  readonly configuration: LoadedConfiguration;
  readonly workspaceDir: string;
  readonly bundledExtensions: readonly string[];
  readonly pluginPaths?: readonly string[] | undefined;
  /** Plugins given as objects, without files; they count as bundled. */
  readonly inlinePlugins?: readonly PluginDefinition[] | undefined;
  /** What plugins may import below `openclaw/plugin-sdk` beside the SDK: address by specifier. */
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  /** Port that will be listened on; undefined serves no HTTP. */
  readonly port?: number | undefined;
  /** What programs that plugins run get a part of; that of the process when absent. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** What plugins keep; the caller closes it. Without it `api.store` is missing. */
  readonly pluginStores?: PluginStores | undefined;
  /** What plugins keep with sessions; without it that part of their `api` is missing. */
  readonly sessionStates?: SessionStates | undefined;
  /** How plugins ask people outside tool calls; without it that part of their `api` is missing. */
  readonly pluginApprovals?: HostApprovalPort["approvals"] | undefined;
  /** How plugins reach programs and the network; the host's own ways when absent. */
  readonly outside?: HostOutsidePort | undefined;
  /** Clock and other options of the hook engine. */
  readonly hooks?: PluginRuntimeOptions["hooks"] | undefined;
  readonly state: StateFolder;
  readonly log: Log;
}

/**
 * The plugins of a host: those that come with it, those of its workspace and state folder, and those
 * named on the command line or in the configuration. Nothing is loaded yet.
 * @param options - where they are looked for
 */
export function createHostPlugins(options: HostPluginsOptions): PluginRuntime {
  const { pluginStores, sessionStates, pluginApprovals } = options;
  return createPluginRuntime({
    hostVersion: options.version,
    config: options.configuration.value,
    bundled: [...options.bundledExtensions],
    workspaceDir: options.workspaceDir,
    stateDir: options.state.dir,
    extraPaths: [...(options.pluginPaths ?? [])],
    inline: options.inlinePlugins ?? [],
    logger: options.log.logger("plugins"),
    allowHosts: options.configuration.value.tools?.http?.allowHosts,
    hostServices: {
      names: { tools: CORE_TOOL_NAMES, httpPaths: HOST_PATHS },
      hosts: [
        "trustedToolPolicies",
        "safetyRules",
        ...(sessionStates === undefined ? [] : (["sessionExtensions"] as const)),
        ...(pluginApprovals === undefined ? [] : (["approvals"] as const)),
        ...(options.port === undefined ? [] : (["httpRoutes"] as const)),
      ],
      checkSafetyRule: (rule) => addedRuleProblems(rule, options.configuration.value.safety),
      runCommand: createCommandRunner(options.environment ?? process.env),
      isVerbose: () => options.configuration.value.logging?.level === "debug",
      ...options.outside,
      ...sessionStates?.services,
      ...defined({
        approvals: pluginApprovals,
        openStore: pluginStores && ((id: string) => pluginStores.of(id)),
      }),
    },
    ...defined({
      pluginApi: options.pluginApi,
      sdkModules: options.sdkModules,
      hooks: options.hooks,
    }),
  });
}
