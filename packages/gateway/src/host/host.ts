import { join } from "node:path";
import { instructionsOf, modelBySize, subagentLimits } from "@openclaw/configuration";
import { systemClock, type Timers } from "@openclaw/foundation";
import { JobConversation } from "@openclaw/jobs";
import {
  createMessaging,
  type FindSurface,
  type JobCommands,
  type Messaging,
  publishApprovals,
  type RoutineCommands,
} from "@openclaw/messaging";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import { RoutineConversation } from "@openclaw/routines";
import type { AddedRule } from "@openclaw/safety";
import { webhookReceiver } from "@openclaw/server";
import type { Store } from "@openclaw/store";
import { createHostJobs } from "../jobs/host-jobs.js";
import { pluginSpeech } from "../plugins/ports/speech.js";
import { createHostRoutines } from "../routines/host-routines.js";
import { loadButtonKey } from "../state/token.js";
import { openTasks } from "../upkeep/host-tasks.js";
import { instructionsText, readInstructions } from "../workspaces/instructions.js";
import { HostChannels } from "./channels.js";
import type { HostContext } from "./context.js";
import { createLiveAccess } from "./live-routing.js";
import {
  bootPlugins,
  createPluginLayer,
  type PluginLayer,
  type PluginLayerOptions,
} from "./plugin-layer.js";
import { Host } from "./running-host.js";
import { probeSandbox, sandboxNotice } from "./sandbox-state.js";
import {
  createServiceLayer,
  type ServiceLayer,
  type ServiceLayerOptions,
  ServicePorts,
} from "./service-layer.js";
import { HostShutdown } from "./shutdown.js";
import { hostSpeech } from "./speech.js";
import { type RunStep, StartSequence } from "./start-sequence.js";
import { SessionTools } from "./tools/session.js";

/** Publisher of a host without clients. */
export const NO_CLIENTS: HostContext["events"] = {
  publish: () => undefined,
  publishPluginEvent: () => undefined,
};

/** Options of {@link openHost}. The caller that opened the store and the log closes them after the host. */
export interface HostOptions extends PluginLayerOptions, ServiceLayerOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly store: Store;
  /** Rules for the values of stored secrets; the same list until a value is added. */
  readonly secretRules?: (() => readonly AddedRule[]) | undefined;
  /** Returns milliseconds since the epoch; the clock of the process when absent. */
  readonly now?: (() => number) | undefined;
  /** Timers for deadlines; those of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Sends events to the connected clients; absent when there are none. */
  readonly events?: HostContext["events"] | undefined;
  /** Observes the events of model streams. */
  readonly modelStreams?: HostContext["modelStreams"];
  /** Returns the surface that shows replies to messages of an earlier process. */
  readonly findSurface?: FindSurface | undefined;
  /** Runs and reports the steps of the start; they are not reported when absent. */
  readonly step?: RunStep | undefined;
  /** True for a host that serves the calls of one command. */
  readonly isForCommand?: boolean | undefined;
  /** File with the program of workers; without it no job runs in a sandbox. */
  readonly workerProgram?: string | undefined;
  /** Stops the host at the request of an owner; absent when messages cannot stop it. */
  readonly onQuit?: (() => void) | undefined;
  /**
   * Called with the plugins once they are loaded, before anything else uses them.
   * @param plugins - the loaded plugins
   * @throws an error that must end the start
   */
  onPluginsLoaded?(plugins: PluginGeneration): void;
}

/**
 * Composes a host, one layer after another: plugins, turn services, messaging. It takes no lock, opens no
 * files and does not listen.
 * @param options - configuration, folders, and the open store and log
 * @throws ModelNotFoundError, PolicyConfigError, PluginHookExecutionError of a fail-closed boot hook
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const context = await hostContext(options);
  const { step = new StartSequence().step } = options;
  const lower = createPluginLayer(options, context);
  const { plugins, approvals, presence } = lower;
  try {
    const { hookContext, stopCancelling } = await bootPlugins(lower, context, {
      ...options,
      step,
    });
    const ports = new ServicePorts();
    const turns = await step("services", () => createServiceLayer(options, context, lower, ports));
    options.log.redactWith(() => turns.services.rules);
    const ending = new AbortController();
    const { signal } = ending;
    const messaging = createHostMessaging(options, context, {
      ...{ ...lower, ...turns, signal },
      jobs: new JobConversation(() => ports.jobs.target),
      routines: new RoutineConversation(() => ports.routines.target),
      handled: (message, outcome) => ports.routines.target.triggers.handled(message, outcome),
    });
    const { jobs, workers } = createHostJobs(context, {
      ...{ messaging, router: turns.router, program: options.workerProgram },
      services: () => turns.services.current(),
    });
    ports.workers.connect(workers);
    ports.jobs.connect(jobs);
    lower.pluginJobs.connect({ jobs, agents: turns.router });
    const sessionTools = new SessionTools({
      plugins,
      store: context.store,
      events: context.events,
      router: turns.router,
      services: () => turns.services.current(),
      sessionModel: (sessionKey) => messaging.live.settingsOf(sessionKey).model,
      isAttended: (lineage, kind) => presence.isAttended(lineage, kind),
    });
    const routines = createHostRoutines(context, {
      ...{ messaging, jobs, router: turns.router, plugins, hookContext, sessionTools, signal },
    });
    ports.routines.connect(routines);
    lower.cron.connect(routines.cron);
    messaging.live.share({ ...context, timers: context.timers ?? systemClock });
    const { flow, spawner, subagents } = messaging;
    ports.flow.connect(flow);
    ports.messages.connect(messaging.channelMessages);
    lower.agents.connect({
      services: () => turns.services.current(),
      embeddings: turns.embeddings,
      speech: pluginSpeech(hostSpeech(context.configuration, plugins), {
        ...{ timers: context.timers ?? systemClock, signal },
        callPlugin: (pluginId, call) => plugins.callPlugin(pluginId, call),
        rules: () => turns.services.current().safety.rules,
      }),
      get defaultModel() {
        return turns.model.choice.ref;
      },
      get defaultAgent() {
        return turns.router.defaultAgent;
      },
      store: context.store,
      now: () => context.now(),
      fullKey: (sessionKey) => messaging.administration.keyOf(sessionKey),
      receive: (message, caller) => flow.receive(message, caller),
      deleteSession: (sessionKey) => messaging.administration.remove(sessionKey),
      async invokeTool({ sessionKey, tool, params, requester, signal: stop }) {
        const session = await messaging.administration.get(sessionKey);
        const stopped = AbortSignal.any([signal, stop]);
        const request = await sessionTools.request(session, requester, stopped);
        return await sessionTools.invoke({ tool, params }, request);
      },
      messages: messaging.pluginMessages,
      authentication: messaging.authentication,
    });
    lower.adapterServices.connect({
      router: turns.router,
      pairing: messaging.channels.pairing,
      files: messaging.channels.files,
      lost: messaging.lostMessages,
    });
    ports.subagents.connect({
      spawn: (spawn) => spawner.spawn(spawn),
      stop: (runId) => subagents.stop(runId),
    });
    const { processes } = turns;
    const stopPublishing = publishHostEvents(lower, context);
    const shutdown = new HostShutdown(
      {
        messaging,
        jobs,
        workers,
        routines,
        approvals: { broker: approvals, presence, stopCancelling },
        processes,
        ending,
        timeoutMs: () => context.configuration.value.gateway?.shutdownTimeoutMs,
        stopPublishing,
      },
      { plugins, context: hookContext, logger: context.logger },
    );
    const channels = new HostChannels(
      { plugins, messaging, adapters: lower.adapters, logger: context.logger },
      options.pluginConfiguration ?? context.configuration.value,
    );
    const layers = { context, lower, turns, messaging, channels, sessionTools, jobs, routines };
    return new Host(layers, { hookContext, shutdown, signal });
  } catch (error) {
    await plugins.dispose();
    throw error;
  }
}

/** Commands of conversations that the layers above messaging answer. */
interface HostCommands {
  readonly jobs: JobCommands;
  readonly routines: RoutineCommands;
  readonly handled: NonNullable<Parameters<typeof createMessaging>[0]["handled"]>;
}

/** Publishes approval requests and changes of plugins to the connected clients. */
function publishHostEvents(
  { plugins, approvals }: PluginLayer,
  { events, logger }: HostContext,
): () => void {
  const stopApprovals = publishApprovals(approvals, events, logger);
  const stopPlugins = plugins.onChanged(({ generation }) =>
    events.publish("plugins.changed", { generation }),
  );
  return () => {
    stopApprovals();
    stopPlugins();
  };
}

async function hostContext(options: HostOptions): Promise<HostContext> {
  const { configuration, environment, state, store, log, timers } = options;
  const { now = Date.now } = options;
  const logger = log.logger("gateway");
  const { events = NO_CLIENTS, secretRules, modelStreams } = options;
  const isTrusted = (folder: string) => options.isTrusted?.(folder) ?? true;
  const tasks = await openTasks({ store, logger, timers, now });
  const services = { store, logger, events, timers, now, tasks, modelStreams };
  return {
    ...{ configuration, environment, secretRules, isTrusted, state, ...services },
    // Read at each use, because a reload changes it.
    get workspaceDir() {
      return options.workspaceDir;
    },
  };
}

function createHostMessaging(
  options: Pick<HostOptions, "findSurface" | "version" | "onQuit" | "model" | "pluginStores">,
  context: HostContext,
  {
    services,
    ...layers
  }: PluginLayer & ServiceLayer & HostCommands & { readonly signal: AbortSignal },
): Messaging {
  const { findSurface, version, onQuit, model } = options;
  const { configuration, store, logger, events, now, tasks, isTrusted, state } = context;
  const { timers = systemClock } = context;
  return createMessaging({
    ...layers,
    store,
    logger,
    events,
    clock: { now, timers },
    tasks,
    version,
    quit: onQuit,
    settings: {
      get unknownCommands() {
        return configuration.value.gateway?.unknownCommands;
      },
      get session() {
        return configuration.value.session ?? {};
      },
      get approvalDelivery() {
        return configuration.value.approvals?.delivery;
      },
      get maxBacklog() {
        return configuration.value.inbox?.maxBacklog;
      },
      get maxSubagents() {
        return subagentLimits(configuration.value).maxChildren;
      },
      // Read at each turn, because a reload changes them.
      instructionsOf: (agentId) => instructionsOf(configuration.value, agentId),
      // The model of the command line is for every message.
      modelBySize: (agentId, text) =>
        model === undefined ? modelBySize(configuration.value, agentId, text) : undefined,
      async workspaceInstructions(workspaceDir) {
        if (isTrusted?.(workspaceDir) === false) {
          return { isTrusted: false, text: undefined, files: [] };
        }
        const files = await readInstructions(workspaceDir);
        return { isTrusted: true, text: instructionsText(files), files };
      },
      async sandboxState() {
        return sandboxNotice(await probeSandbox(configuration, context.workspaceDir, state.dir));
      },
    },
    secrets: options.pluginStores?.secrets,
    access: createLiveAccess(configuration),
    findSurface: (target, messageId) => findSurface?.(target, messageId),
    forwardOf: (target) => webhookReceiver(configuration.value.webhooks, target),
    speech: hostSpeech(configuration, layers.plugins),
    buttonKey: () => loadButtonKey(state.dir),
    filesDir: () => join(context.workspaceDir, "received"),
    services: () => services.current(),
  });
}
