import {
  type Counters,
  createCounters,
  type OfferedHarness,
  type Subagents,
} from "@openclaw/agent";
import { type OpenClawConfiguration, subagentLimits } from "@openclaw/configuration";
import { BackgroundProcesses, type MessagePort } from "@openclaw/core-tools";
import { createGateTools, type Jobs, type Workers } from "@openclaw/jobs";
import { type MessageFlow, type MessageRouter, sendToSession } from "@openclaw/messaging";
import type { ModelProvider } from "@openclaw/plugin-sdk";
import type { AgentHarness } from "@openclaw/plugin-sdk/plugin-entry";
import type { Routines } from "@openclaw/routines";
import { agentWorkspace } from "../workspaces/agent-workspace.js";
import { WorkspaceConversations } from "../workspaces/conversations.js";
import type { HostContext } from "./context.js";
import { HostEmbeddings } from "./embeddings/host-embeddings.js";
import { ServiceGenerations } from "./generation-services.js";
import { httpCredentials } from "./http-credentials.js";
import { LatePort } from "./late-port.js";
import { LiveModel } from "./live-model.js";
import { createLiveRouter } from "./live-routing.js";
import { HostModelCalls, HostModels, requestedModel } from "./model.js";
import type { PluginLayer } from "./plugin-layer.js";
import { HostTurnServices } from "./services.js";
import { createHostTools } from "./tools/core.js";
import type { GatewayPort } from "./tools/gateway.js";
import { offeredWebSearch, selectedWebSearch } from "./web-search.js";

/** Models of a host in addition to those of its plugins. */
export interface ServiceLayerOptions {
  /** Configuration in force with the values of stored secrets; that without them when absent. */
  readonly pluginConfiguration?: OpenClawConfiguration | undefined;
  /** Model as `provider/model`, `--model`. */
  readonly model?: string | undefined;
  /** Is told that the model does not exist; without it that is an error. */
  readonly onModelMissing?: ((problem: string) => void) | undefined;
  /** Model providers in addition to the demo model and those of plugins. */
  readonly providers?: readonly ModelProvider[] | undefined;
  /** Gateway that the tool `gateway` reads and changes; absent for a host that is none. */
  readonly gateway?: GatewayPort | undefined;
}

/** Components of the layer above that turns use: a turn may start subagents and write to sessions. */
export class ServicePorts {
  readonly flow = new LatePort<Pick<MessageFlow, "receive">>("the message flow");
  readonly subagents = new LatePort<Pick<Subagents, "spawn" | "stop">>("the subagents");
  readonly messages = new LatePort<MessagePort>("the channels");
  readonly jobs = new LatePort<Jobs>("the jobs");
  readonly routines = new LatePort<Routines>("the routines");
  readonly workers = new LatePort<Pick<Workers, "harness">>("the workers");
}

/** Middle layer of a host: services for turns, and the routes of messages. */
export interface ServiceLayer {
  readonly model: LiveModel;
  readonly embeddings: HostEmbeddings;
  /** Returns the reason why `web_search` is not offered; undefined when it is. */
  webSearchProblem(): string | undefined;
  readonly router: MessageRouter;
  readonly services: HostTurnServices;
  readonly processes: BackgroundProcesses;
  readonly counters: Counters;
}

/**
 * Creates the services for turns, and the router.
 * @param options - models
 * @param context - configuration, folders, store and log
 * @param lower - plugins and approvals
 * @param ports - ports to the layer above, connected later
 * @throws ModelNotFoundError when the chosen model does not exist
 * @throws ConfigurationError, PolicyConfigError when a limit or the policy is invalid
 */
export function createServiceLayer(
  options: ServiceLayerOptions,
  context: HostContext,
  { plugins, approvals }: Pick<PluginLayer, "plugins" | "approvals">,
  ports: ServicePorts,
): ServiceLayer {
  const { configuration, store } = context;
  const secretConfiguration = () => options.pluginConfiguration ?? configuration.value;
  const models = new HostModels(
    options.providers,
    () => secretConfiguration().models?.providers ?? {},
  );
  const { onModelMissing } = options;
  const model = new LiveModel({
    configuration,
    requested: () => JSON.stringify(requestedModel(options.model, context)),
    // Only at the start another model is better than none.
    choose: (isStart) =>
      models.choose(options.model, context, plugins.current, isStart ? onModelMissing : undefined),
  });
  const conversations = new WorkspaceConversations(context.state.workspacesFile);
  const router = createLiveRouter(configuration, {
    get model() {
      return model.choice.ref;
    },
    workspaceDir: (agentId, sessionKey) =>
      agentWorkspace(configuration, context.workspaceDir, agentId) ??
      conversations.workspaceOf(sessionKey) ??
      context.workspaceDir,
  });
  const generations = new ServiceGenerations({ plugins, models }, context);
  const processes = new BackgroundProcesses();
  const coreTools = createHostTools(context, {
    skills: () => generations.latest?.skills,
    processes,
    sendToSession: (message) => sendToSession(message, store, ports.flow.target),
    messages: {
      get channels() {
        return ports.messages.target.channels;
      },
      act: (...message) => ports.messages.target.act(...message),
    },
    // Read at each request, because a reload changes it.
    credentials: httpCredentials(secretConfiguration),
    webSearch: () => offeredWebSearch(configuration, plugins.current),
    safetyRules: () => generations.current().safety.rules,
    jobs: () => ports.jobs.target,
    routines: () => ports.routines.target,
    gateway: () => options.gateway,
  });
  const subagents: Subagents = {
    get limits() {
      return subagentLimits(configuration.value);
    },
    get agentIds() {
      return router.agentIds;
    },
    modelOf: (agentId) => router.modelOf(agentId),
    spawn: (spawn) => ports.subagents.target.spawn(spawn),
    stop: (runId) => ports.subagents.target.stop(runId),
  };
  const counters = createCounters();
  const modelCalls = new HostModelCalls(context.timers);
  const jobHarnesses = workerHarnesses(ports, context);
  const components = { approvals, coreTools, subagents, counters, modelCalls, jobHarnesses };
  const services = new HostTurnServices(context, components, generations);
  const embeddings = new HostEmbeddings(
    context,
    () => generations.current(),
    () => ({ dependencies: services.current(), agentId: router.defaultAgent }),
  );
  const webSearchProblem = () => {
    const selected = selectedWebSearch(configuration, plugins.current);
    return "unavailable" in selected ? selected.unavailable : undefined;
  };
  return { model, embeddings, webSearchProblem, router, services, processes, counters };
}

/** Returns the harnesses of jobs in sandboxes, whose workers are created after the services. */
function workerHarnesses(
  { workers }: ServicePorts,
  { configuration }: Pick<HostContext, "configuration">,
): readonly OfferedHarness[] {
  const harnessOf = (mode: "claude_code" | "sandboxed"): AgentHarness => ({
    id: mode,
    supports: (context) => workers.target.harness(mode).supports(context),
    runAttempt: (attempt) => workers.target.harness(mode).runAttempt(attempt),
  });
  const isCopy = () => configuration.value.jobs?.sandbox?.workspace !== "direct";
  const host = { pluginId: "openclaw", ownProviders: [] };
  return [
    { ...host, harness: harnessOf("sandboxed") },
    { ...host, harness: harnessOf("claude_code"), tools: createGateTools(isCopy) },
  ];
}
