import {
  createCounters,
  type Subagents,
  ToolRateLimits,
  type TurnDependencies,
} from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import {
  type BackgroundProcesses,
  CORE_TOOL_NAMES,
  createCoreTools,
  type SendToSession,
} from "@openclaw/core-tools";
import type { Timers } from "@openclaw/foundation";
import { sha256 } from "@openclaw/foundation";
import {
  chooseModel,
  createDemoProvider,
  createModelCatalog,
  type ModelChoice,
} from "@openclaw/models";
import type { PluginGeneration, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger, ModelProvider } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import { formatProblem } from "@openclaw/tool-policy";
import type { LoadedConfiguration } from "../configuration/configuration.js";
import { turnLimits } from "../configuration/turn-limits.js";
import type { StateFolder } from "../state/folder.js";
import { hostPolicy } from "./policy.js";
import { hostSafety } from "./safety.js";
import { hostSkills } from "./skills.js";

const DEFAULT_PARALLEL_CALLS = 4;

/** What the services of turns are made from. */
export interface TurnServicesOptions {
  readonly configuration: LoadedConfiguration;
  readonly workspaceDir: string;
  readonly model?: string;
  /** Asks people about calls. */
  readonly approvals: ApprovalBroker;
  readonly environment: NodeJS.ProcessEnv;
  /** Model providers beside the demo model and those of plugins. */
  readonly providers?: readonly ModelProvider[];
  /** Milliseconds since the epoch; the process's own clock when absent. */
  readonly now?: () => number;
  /** Timers of the deadlines of tools; those of the process when absent. */
  readonly timers?: Timers;
  readonly state: StateFolder;
  readonly store: Store;
  readonly plugins: PluginRuntime;
  /** Takes in what sessions write to each other. */
  readonly sendToSession: SendToSession;
  /** The child sessions of the host. */
  readonly subagents: Subagents;
  /** Takes the commands that run on in the background of sessions. */
  readonly processes: BackgroundProcesses;
  readonly logger: Logger;
}

/**
 * Puts together what every turn uses: models, tools, policy and approvals. Models and policy follow what
 * plugins register: a turn gets those of the generation of plugins it begins with.
 * @param options - configuration and the host's parts
 * @throws ModelNotFoundError when the chosen model does not exist
 */
export async function buildTurnServices(
  options: TurnServicesOptions,
): Promise<{ services: () => TurnDependencies; model: ModelChoice }> {
  const { configuration, state, plugins, environment, now = Date.now } = options;
  const { tools = {} } = configuration.value;
  const providersOf = (generation: PluginGeneration) => [
    createDemoProvider(),
    ...(options.providers ?? []),
    ...generation.providers.map(({ provider }) => provider),
  ];
  const providers = providersOf(plugins.current);
  const model = chooseModel({ requested: requestedModel(options), providers });
  let made:
    | { readonly generation: PluginGeneration; readonly services: TurnDependencies }
    | undefined;
  const safety = hostSafety(configuration, environment);
  const coreTools = createCoreTools({
    readableFolders: () => made?.services.skills.folders() ?? [],
    workspaceDir: options.workspaceDir,
    roots: tools.fs?.roots ?? [],
    allowHosts: tools.http?.allowHosts ?? [],
    stateDir: state.dir,
    stateWorkspaceDir: state.workspaceDir,
    environment,
    processes: options.processes,
    sendToSession: options.sendToSession,
    sandbox: tools.exec?.sandbox ?? "off",
    store: options.store,
    ...(safety.rules === undefined ? {} : { safetyRules: safety.rules }),
    now,
  });
  const lasting = {
    store: options.store,
    approvals: options.approvals,
    safety,
    coreTools,
    toolTimeouts: tools.timeouts ?? {},
    maxParallelCalls: tools.maxParallel ?? DEFAULT_PARALLEL_CALLS,
    toolRateLimits: new ToolRateLimits(tools.rateLimits ?? {}, now),
    counters: createCounters(),
    ...turnLimits(configuration.value, environment, options.logger),
    logger: options.logger,
    configRevision: configurationRevision(configuration),
    subagents: options.subagents,
    latestPolicy: () => services().policy,
    now,
    ...(options.timers === undefined ? {} : { timers: options.timers }),
  };
  const services = (): TurnDependencies => {
    const generation = plugins.current;
    if (made?.generation === generation) return made.services;
    const models = createModelCatalog(providersOf(generation));
    const policy = hostPolicy(configuration, CORE_TOOL_NAMES, generation.tools);
    for (const { code, ...warning } of policy.warnings) {
      options.logger.warn(formatProblem({ code, ...warning }), { code });
    }
    const skills = hostSkills({ ...options, safety }, generation);
    made = { generation, services: { ...lasting, models, policy, skills } };
    return made.services;
  };
  // A configuration that does not compile stops the start, not the first turn.
  services();
  return { services, model };
}

/** Names the configuration by a hash of it; that of two hosts with equal ones is the same. */
function configurationRevision({ value }: LoadedConfiguration): string {
  return sha256(JSON.stringify(value)).slice(0, 16);
}

function requestedModel({ model, configuration, environment }: TurnServicesOptions) {
  if (model !== undefined) return { ref: model, source: "flag" as const };
  const configured = configuration.value.agents?.defaults?.model;
  if (configured !== undefined) return { ref: configured, source: "config" as const };
  const backend = environment.LLM_BACKEND;
  if (backend === undefined || backend === "") return undefined;
  return { ref: backend.replaceAll("_", "-"), source: "backend" as const };
}
