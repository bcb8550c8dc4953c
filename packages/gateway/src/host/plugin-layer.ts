import type { ApprovalBroker } from "@openclaw/approval-broker";
import { CONCURRENT_TURNS } from "@openclaw/configuration";
import { systemClock } from "@openclaw/foundation";
import { createPluginJobs, type PluginJobsDependencies } from "@openclaw/jobs";
import {
  ApproverPresence,
  cancelForDisabledPlugins,
  LiveSessions,
  SessionStates,
} from "@openclaw/messaging";
import { type AdapterServices, ChannelAdapters } from "@openclaw/older-plugins";
import type { PluginGeneration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { CronService, HookMap } from "@openclaw/plugin-sdk/hooks";
import { NetworkClient } from "@openclaw/safety";
import { OAuthCredentials } from "../oauth/credentials.js";
import { createOAuthFetch } from "../oauth/requests.js";
import { createPluginApprovals } from "../plugins/approvals.js";
import { LoadLog } from "../plugins/last-loads.js";
import { createHostPlugins, type HostPluginsOptions } from "../plugins/plugins.js";
import { createPluginAgentPort, type PluginAgents } from "../plugins/ports/agents.js";
import { PluginTasks } from "../plugins/ports/repeated-work.js";
import { takeRestart } from "../state/restart-mark.js";
import { createHostApprovals } from "./approvals.js";
import type { HostContext } from "./context.js";
import { LatePort } from "./late-port.js";
import type { RunStep } from "./start-sequence.js";

/** Host address as plugins see it. */
export const LISTENING_HOST = "127.0.0.1";

/** Context of the hooks that fire when the host starts and stops. */
export type HostHookContext = HookMap["gateway_pre_start"]["context"] &
  HookMap["gateway_start"]["context"] &
  HookMap["gateway_stop"]["context"];

/** Options of {@link createPluginLayer} in addition to the context of the host. */
export interface PluginLayerOptions
  extends Omit<
    HostPluginsOptions,
    | "sessionStates"
    | "pluginApprovals"
    | "events"
    | "jobs"
    | "agents"
    | "accessToken"
    | "getCron"
    | "repeat"
    | "onMissingUse"
  > {
  /** Tools that run without approval in this process, `--approve-tool`. */
  readonly approvedTools?: readonly string[] | undefined;
}

/** Lowest layer of a host: plugins, the values that they keep with sessions, and approvals. */
export interface PluginLayer {
  readonly plugins: PluginRuntime;
  /** The sessions of which this process keeps something. */
  readonly live: LiveSessions;
  readonly sessionStates: SessionStates;
  readonly approvals: ApprovalBroker;
  readonly presence: ApproverPresence;
  /** OAuth credentials of plugins. */
  readonly oauth: OAuthCredentials;
  /** Models and agents for plugins, connected once they exist. */
  readonly agents: LatePort<PluginAgents>;
  /** Jobs for plugins, connected once they exist. */
  readonly pluginJobs: LatePort<PluginJobsDependencies>;
  /** Channels of older plugins, which are made of adapters. */
  readonly adapters: ChannelAdapters;
  /** Routines for plugins, connected once they exist. */
  readonly cron: LatePort<CronService>;
  /** Parts of messaging for these channels, connected once they exist. */
  readonly adapterServices: LatePort<AdapterServices>;
}

/** Plugins after the boot hook. */
export interface BootedPlugins {
  readonly hookContext: HostHookContext;
  /** Stops cancelling the approval requests of plugins that are unloaded. */
  stopCancelling(): void;
}

/**
 * Creates plugins and approvals, which need each other. Nothing is loaded yet.
 * @param options - locations of plugins
 * @param context - configuration, store and log
 */
export function createPluginLayer(options: PluginLayerOptions, context: HostContext): PluginLayer {
  const { store, logger } = context;
  const { approvedTools } = options;
  const { configuration } = context;
  const live = new LiveSessions(
    () => configuration.value.agents?.maxConcurrentTurns ?? CONCURRENT_TURNS,
  );
  const sessionStates = new SessionStates(store, live, logger);
  const port = new LatePort<PluginRuntime>("the plugin runtime");
  const approvals = createHostApprovals({
    ...context,
    get workspaceDir() {
      return context.workspaceDir;
    },
    stateDir: context.state.dir,
    approvedTools,
    plugins: () => port.target,
  });
  const presence = new ApproverPresence(approvals, store, logger);
  const agents = new LatePort<PluginAgents>("the agents");
  const pluginJobs = new LatePort<PluginJobsDependencies>("the jobs");
  const cron = new LatePort<CronService>("the routines");
  const adapterServices = new LatePort<AdapterServices>("the channels");
  const adapters = new ChannelAdapters({
    timers: context.timers ?? systemClock,
    stateDir: context.state.dir,
    services: () => adapterServices.target,
  });
  const pluginApprovals = createPluginApprovals({ store, approvals, presence });
  const repeated = new PluginTasks(context.tasks);
  const oauth = createOAuth(options, context, () => port.target);
  const plugins = createHostPlugins({
    ...options,
    get workspaceDir() {
      return context.workspaceDir;
    },
    accessToken:
      options.pluginStores &&
      ((pluginId, id, rejected) => oauth.tokens.get(`${pluginId}/${id}`, rejected)),
    sessionStates,
    pluginApprovals,
    events: context.events,
    jobs: createPluginJobs(() => pluginJobs.target),
    getCron: () => cron.target,
    repeat: (pluginId, work) => repeated.repeat(pluginId, work),
    agents: createPluginAgentPort(() => agents.target, adapters),
    onMissingUse: ({ pluginId, specifier, name, path, given }) =>
      adapters.noteFailedCall({ pluginId, part: partText(specifier, name, path), given }),
  });
  port.connect(plugins);
  return {
    ...{ plugins, live, sessionStates, approvals, presence, oauth },
    ...{ agents, pluginJobs, cron, adapters, adapterServices },
  };
}

function partText(specifier: string, name: string, path: string): string {
  return path === name ? `"${name}" of "${specifier}"` : `${path} of "${specifier}"`;
}

function createOAuth(
  { pluginStores, configuration }: PluginLayerOptions,
  { events, logger, now, timers = systemClock }: HostContext,
  plugins: () => PluginRuntime,
): OAuthCredentials {
  const connect = () =>
    new NetworkClient({ allowHosts: () => configuration.value.tools?.http?.allowHosts });
  return new OAuthCredentials({
    ...{ plugins, events, logger, timers, now },
    stores: pluginStores,
    fetch: createOAuthFetch(connect, timers),
    publicUrl: () => configuration.value.gateway?.publicUrl,
  });
}

/**
 * Loads the plugins, deletes what disabled ones left, and fires the boot hook.
 * @param layer - plugins and approvals
 * @param context - workspace, store and log
 * @param options - port of the host, steps of the start, whether one command starts it, and receiver of the loaded plugins
 * @throws PluginHookExecutionError of a fail-closed boot hook
 */
export async function bootPlugins(
  { plugins, sessionStates, approvals, cron }: PluginLayer,
  context: HostContext,
  options: {
    readonly port?: number | undefined;
    readonly step: RunStep;
    readonly isForCommand?: boolean | undefined;
    onPluginsLoaded?(plugins: PluginGeneration): void;
  },
): Promise<BootedPlugins> {
  const { state, store, logger } = context;
  const loads = new LoadLog(state.dir);
  plugins.onChanged(() => loads.store(plugins.current));
  const loaded = await options.step("plugins", () => plugins.load());
  options.onPluginsLoaded?.(loaded);
  await sessionStates.forgetDisabled(loaded);
  const stopCancelling = await cancelForDisabledPlugins({ store, approvals, plugins, logger });
  const hookContext = {
    callDepth: 0,
    getCron: () => cron.target,
    get workspaceDir() {
      return context.workspaceDir;
    },
    get config() {
      return plugins.visibleConfig;
    },
  };
  // The second half of a restart is the gateway itself, not a command before it, such as the check of an update.
  const reason = options.isForCommand !== true && takeRestart(state.dir) ? "restart" : "boot";
  const event = { port: options.port ?? 0, host: LISTENING_HOST, reason } as const;
  // Nothing is scheduled yet.
  const { getCron: _, ...bootContext } = hookContext;
  await options.step("gateway_pre_start", () => plugins.boot(event, bootContext));
  return { hookContext, stopCancelling };
}
