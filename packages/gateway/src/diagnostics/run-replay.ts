import {
  createCounters,
  ReplayClock,
  type ReplayHost,
  type ReplayReport,
  readRecording,
  replayTurn,
  replayWholeTurn,
  type TurnRecording,
  type WholeReplay,
} from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { type LoadedConfiguration, subagentLimits } from "@openclaw/configuration";
import { BackgroundProcesses } from "@openclaw/core-tools";
import { BackgroundTasks, defined, systemClock } from "@openclaw/foundation";
import { createMessageRouter, LiveSessions, SessionStates } from "@openclaw/messaging";
import { memoryPrompts, type PluginRuntime, searchableMemory } from "@openclaw/plugin-runtime";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import type { ModelProvider } from "@openclaw/plugin-sdk/provider-entry";
import { createPluginStores, openStore } from "@openclaw/store";
import { ReplayReachesOutsideError } from "../errors.js";
import { createHostApprovals } from "../host/approvals.js";
import type { HostContext } from "../host/context.js";
import { ServiceGenerations } from "../host/generation-services.js";
import { HostModelCalls, HostModels } from "../host/model.js";
import { HostTurnServices } from "../host/services.js";
import { createHostTools } from "../host/tools/core.js";
import { offeredWebSearch } from "../host/web-search.js";
import { createHostPlugins } from "../plugins/plugins.js";
import type { StateFolder } from "../state/folder.js";
import { openLog } from "../state/log.js";

export type { ReplayReport } from "@openclaw/agent";

/** Options of a replay. */
export interface ReplayOptions {
  readonly version: string;
  readonly configuration: LoadedConfiguration;
  /** Location of installed plugins and skills; nothing is written there. */
  readonly state: StateFolder;
  readonly workspaceDir: string;
  /** Returns true for a folder whose plugins and skills may be loaded; every folder when absent. */
  isTrusted?(folder: string): boolean;
  readonly bundledExtensions: readonly string[];
  readonly sdkModules?: ReadonlyMap<string, string> | undefined;
  /** Folders or files of further plugins, `--plugin`. */
  readonly pluginPaths?: readonly string[] | undefined;
  /** Plugins to leave out, `--disable-plugin`. */
  readonly disabledPlugins?: readonly string[] | undefined;
  /** Plugins given as objects. */
  readonly inlinePlugins?: readonly PluginDefinition[] | undefined;
  readonly providers?: readonly ModelProvider[] | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Replays a recorded run with the given plugins, policy and configuration, on a separate host without side
 * effects: its store is in memory, no plugin is started, and outgoing requests of plugins are denied
 * (TURN-057). Stored data of plugins is not available.
 * @param recorded - recording from `run.recording`
 * @param options - plugins, policy and configuration
 * @throws RunNotReplayableError, PolicyConfigError, ModelNotFoundError
 */
export async function replayRun(recorded: unknown, options: ReplayOptions): Promise<ReplayReport> {
  return await onReplayHost(readRecording(recorded), options, replayTurn);
}

/**
 * Replays a recorded run like {@link replayRun}, and continues after differences, to compare it with a replay with other
 * options (TURN-501).
 * @param recorded - recording from `run.recording`
 * @param options - plugins, policy and configuration
 * @throws RunNotReplayableError, PolicyConfigError, ModelNotFoundError
 */
export async function replayWholeRun(
  recorded: unknown,
  options: ReplayOptions,
): Promise<WholeReplay> {
  return await onReplayHost(readRecording(recorded), options, replayWholeTurn);
}

/** Replays a run on a host that is discarded afterwards. */
async function onReplayHost<Result>(
  recording: TurnRecording,
  options: ReplayOptions,
  replay: (recording: TurnRecording, host: ReplayHost) => Promise<Result>,
): Promise<Result> {
  const { state, environment, workspaceDir } = options;
  const configuration = without(options.disabledPlugins ?? [], options.configuration);
  const clock = new ReplayClock(recording.steps[0]?.createdAt ?? 0);
  const log = openLog(undefined, { level: "silent" });
  const logger = log.logger("replay");
  await using closing = new AsyncDisposableStack();
  const store = await openStore({ file: ":memory:", now: clock.now });
  closing.defer(() => store.close());
  const pluginStores = createPluginStores({ store, now: clock.now });
  closing.defer(() => pluginStores.close());
  const refuse = async (pluginId: string): Promise<never> => {
    throw new ReplayReachesOutsideError(pluginId);
  };
  const sessionStates = new SessionStates(store, new LiveSessions(1), logger);
  const events = { publish: () => undefined, publishPluginEvent: () => undefined };
  const plugins = createHostPlugins({
    ...options,
    events,
    configuration,
    pluginStores,
    sessionStates,
    log,
    outside: { runCommand: refuse, startProcess: refuse, fetch: refuse },
  });
  closing.defer(() => plugins.dispose());
  await plugins.load();
  const { now } = clock;
  // Nothing of a replay runs in the background.
  const failed = (problem: string) => logger.warn(problem);
  const tasks = new BackgroundTasks({ timers: systemClock, now, failed });
  const isTrusted = (folder: string) => options.isTrusted?.(folder) ?? true;
  const places = { configuration, workspaceDir, environment, state, isTrusted };
  const context = { ...places, store, logger, events, now, tasks };
  const approvals = createHostApprovals({ ...context, plugins: () => plugins });
  closing.defer(() => approvals.close());
  const { model } = recording.request;
  const models = new HostModels(options.providers);
  models.choose(model, context, plugins.current);
  const services = replayServices(context, { plugins, approvals, models }, model);
  const pin = plugins.pin();
  closing.defer(() => pin.release());
  return await replay(recording, {
    store,
    clock,
    services: services.current(),
    pin: {
      generation: pin.generation.number,
      hooks: pin.hooks,
      tools: pin.generation.tools,
      memory: searchableMemory(pin.generation.memory),
      memoryPrompts: memoryPrompts(pin.generation.memory),
      mayAddToPrompts: (pluginId) => plugins.mayAddToPrompts(pluginId),
    },
  });
}

/** Returns turn services that reach nothing outside the replay. */
function replayServices(
  context: HostContext,
  {
    plugins,
    approvals,
    models,
  }: {
    readonly plugins: PluginRuntime;
    readonly approvals: ApprovalBroker;
    readonly models: HostModels;
  },
  model: string,
): HostTurnServices {
  const { configuration, workspaceDir } = context;
  const refuse = async (): Promise<never> => {
    throw new ReplayReachesOutsideError("core");
  };
  const router = createMessageRouter(configuration.value, {
    model,
    workspaceDir: () => workspaceDir,
  });
  const generations = new ServiceGenerations({ plugins, models }, context);
  const coreTools = createHostTools(context, {
    skills: () => generations.latest?.skills,
    processes: new BackgroundProcesses(),
    sendToSession: refuse,
    messages: { channels: [], act: refuse },
    webSearch() {
      const provider = offeredWebSearch(configuration, plugins.current);
      // The tool is offered as in the recorded run, and its results come from there.
      return provider && { id: provider.id, ...defined({ label: provider.label }), search: refuse };
    },
    safetyRules: () => generations.current().safety.rules,
    jobs() {
      throw new ReplayReachesOutsideError("core");
    },
    routines() {
      throw new ReplayReachesOutsideError("core");
    },
    gateway() {
      throw new ReplayReachesOutsideError("core");
    },
  });
  const subagents = {
    limits: subagentLimits(configuration.value),
    agentIds: router.agentIds,
    modelOf: (agentId: string) => router.modelOf(agentId),
    spawn: refuse,
    stop: refuse,
  };
  const counters = createCounters();
  const modelCalls = new HostModelCalls();
  const components = { approvals, coreTools, subagents, counters, modelCalls };
  return new HostTurnServices(context, components, generations);
}

/** Returns the configuration with the given plugins disabled. */
function without(
  pluginIds: readonly string[],
  configuration: LoadedConfiguration,
): LoadedConfiguration {
  if (pluginIds.length === 0) return configuration;
  const { plugins = {} } = configuration.value;
  const entries = { ...plugins.entries };
  for (const id of pluginIds) entries[id] = { ...entries[id], enabled: false };
  return {
    ...configuration,
    value: { ...configuration.value, plugins: { ...plugins, entries } },
  };
}
