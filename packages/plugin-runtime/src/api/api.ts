import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { defined } from "@openclaw/foundation";
import { noteRoutes } from "@openclaw/plugin-loader";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { PluginIsolation } from "@openclaw/plugin-sdk/proposals/isolation-tier";
import type { HookBindings } from "../hooks/bindings.js";
import type { HookEntryPoint } from "../hooks/name.js";
import type { HookRegistrar } from "../hooks/registrar.js";
import { registerTrustedPolicy } from "../hooks/trusted-policy.js";
import type { PluginInstance } from "../instances/instance.js";
import { readPanel } from "../offers/panel.js";
import { readPrompt } from "../offers/prompt.js";
import { readResource } from "../offers/resource.js";
import { readCliRegistrar } from "../registration/cli-command.js";
import { readCommand } from "../registration/command.js";
import { readHookSet } from "../registration/hook-set.js";
import { readInteractiveHandler } from "../registration/interactive-handler.js";
import { readRuntimeLifecycle } from "../registration/lifecycle.js";
import { createMemoryRegistrars } from "../registration/memory/registrars.js";
import { readOAuthCredential } from "../registration/oauth-credential.js";
import { readProvider } from "../registration/provider.js";
import { readAgentHarness } from "../registration/providers/agent-harness.js";
import { readCompactionProvider } from "../registration/providers/compaction.js";
import { type Registrar, unregister } from "../registration/registrar.js";
import { readReloadRules } from "../registration/reload-rules.js";
import { readSafetyRule } from "../registration/safety-rule.js";
import { readService } from "../registration/service.js";
import { readTool } from "../registration/tool.js";
import { readToolMetadata } from "../registration/tool-metadata.js";
import { readToolResultMiddleware } from "../registration/tool-result.js";
import { ToolParametersCheck } from "../tool-schema/parameters-check.js";
import { AgentEventBus, createAgentEvents } from "./agent-events.js";
import { createApprovals } from "./approval-access.js";
import { createChannelRegistrar } from "./channel-registrar.js";
import { registerContextEngine } from "./context-engine-registrar.js";
import { createGatewayEvents } from "./gateway-events.js";
import {
  agentFolder,
  createHostRuntime,
  createStoreAccess,
  type RuntimeContext,
} from "./host-runtime.js";
import { createJobAccess } from "./job-access.js";
import { registerGatewayMethod } from "./method-registrar.js";
import { withUnknownRegistrars } from "./missing-capability.js";
import { namesHost } from "./network-hosts.js";
import { createOlderRegistrars, tellUnserved } from "./older-registrars.js";
import { withProposals } from "./proposals.js";
import { reportProblem } from "./reported-problem.js";
import { RouteRegistrar } from "./route-registrar.js";
import { createRunContext } from "./run-context.js";
import { createAgentRun } from "./runtime/models.js";
import { serviceContexts } from "./service/context.js";
import { createSession } from "./session-access.js";
import { createSessionControls } from "./session-controls.js";

/** Host of one plugin. */
export interface PluginHost extends RuntimeContext {
  /** Channels that the plugin's manifest declares. */
  readonly channels: readonly string[];
  /** Version of the host in the numbering that the plugin uses. */
  readonly version: string;
  /** Isolation of the plugin's code, and what is enforced there. */
  readonly isolation: PluginIsolation;
}

/** Events that plugins add to runs; one for the process, as its runs are. */
const agentEvents = new AgentEventBus();

/**
 * Creates the `api` of one plugin in one generation. Every method throws once the generation has
 * ended.
 * @param registrar - adds registrations to the registry
 * @param registrars - the registrars of handlers
 * @param bindings - hand trusted tool policies to the hook engine
 * @param host - capabilities of the host
 */
export function createPluginApi(
  registrar: Registrar,
  registrars: HookRegistrar,
  bindings: HookBindings,
  host: PluginHost,
): OpenClawPluginApi {
  const { instance, gate } = registrar;
  const { origin, logger } = instance;
  const serviceContext = serviceContexts(instance, host);
  const { id, name, version, description, source, rootDir } = instance.identity;
  const visibleConfig = () => host.visibleConfig(id, host.channels);
  const { stateDir } = host;
  const open =
    (entryPoint: HookEntryPoint) => (names: unknown, handler?: unknown, options?: unknown) =>
      registrars.open(entryPoint, names, handler, options);
  const ownChannels = [...host.channels];
  const http = new RouteRegistrar(registrar, host.services.names?.httpPaths ?? [], ownChannels);
  const session = createSession(registrar, host.services);
  const controls = createSessionControls(registrar, host.services);
  const runContext = createRunContext(instance);
  const parameters = new ToolParametersCheck(instance);
  const store = createStoreAccess(instance, host.services);

  const on: OpenClawPluginApi["on"] = open("on");
  const gatewayEvents = createGatewayEvents(instance, host.services);
  const events = createAgentEvents(instance, on, gatewayEvents.emit, agentEvents);
  const lifecycle = createLifecycle(registrar, open("lifecycle.on"));
  const registerTool: OpenClawPluginApi["registerTool"] = (tool, options = {}) => {
    const item = registrar.read("registerTool", () =>
      readTool(origin, tool, options, ({ agentId }) => ({
        config: visibleConfig(),
        ...(stateDir === undefined ? {} : { agentDir: agentFolder(stateDir, agentId) }),
      })),
    );
    if (item === undefined) return;
    if (typeof item.tool !== "function" && !parameters.accepts(item.tool)) return;
    registrar.add("registerTool", "tools", () => item);
    if (typeof tool === "object" && "contextVersion" in tool) {
      instance.noteUse("registerTool(contextVersion)");
    }
  };

  const api: OpenClawPluginApi = withUnknownRegistrars(instance, {
    id,
    name,
    ...defined({ version, description }),
    origin: instance.identity.origin,
    source,
    rootDir,
    config: visibleConfig(),
    pluginConfig: instance.grants.config,
    logger,
    diagnose: (problem) => reportProblem(instance, problem),
    registrationMode: "full",
    runtime: createHostRuntime(instance, gate, host, {
      version: host.version,
      visibleConfig,
      store,
    }),
    get store() {
      return store();
    },
    session: { ...session, controls },
    agent: { events },
    runContext,
    approvals: createApprovals(registrar, host.services),
    jobs: createJobAccess(instance, host.services),
    gatewayEvents,
    lifecycle,
    on,
    registerHook: open("registerHook"),
    registerHookSet(set) {
      registrar.add("registerHookSet", "hookSets", () => readHookSet(origin, set));
    },
    registerTool,
    registerProvider(provider) {
      registrar.add("registerProvider", "providers", () =>
        readProvider(origin, provider, {
          diagnose: (diagnostic) => instance.diagnose(diagnostic),
          describedModel: host.services.describedModel,
          config: visibleConfig,
        }),
      );
    },
    registerCommand(command) {
      registrar.add("registerCommand", "commands", () => readCommand(origin, command));
    },
    registerPrompt(prompt) {
      registrar.add("registerPrompt", "prompts", () => readPrompt(origin, prompt));
    },
    registerResource(resource) {
      registrar.add("registerResource", "resources", () => readResource(origin, resource));
    },
    registerPanel(panel) {
      registrar.add("registerPanel", "panels", () => readPanel(origin, panel, rootDir));
    },
    registerHttpRoute: http.registerRoute,
    registerHttpHandler: http.registerHandler,
    registerChannel: createChannelRegistrar(registrar, ownChannels, visibleConfig),
    registerGatewayMethod(method, handler, options) {
      registerGatewayMethod(registrar, host.services, { method, handler, options });
    },
    registerCli(cli, options) {
      registrar.add("registerCli", "cliRegistrars", () =>
        readCliRegistrar(origin, cli, options, visibleConfig),
      );
    },
    registerService(service) {
      registrar.add("registerService", "services", () =>
        readService(origin, service, serviceContext),
      );
    },
    registerTrustedToolPolicy(policy) {
      registerTrustedPolicy(registrar, bindings, policy);
    },
    registerSafetyRule(rule) {
      registrar.add("registerSafetyRule", "safetyRules", () =>
        readSafetyRule(origin, rule, host.services),
      );
    },
    registerSessionExtension: session.state.registerSessionExtension,
    enqueueNextTurnInjection: session.workflow.enqueueNextTurnInjection,
    registerToolMetadata(metadata) {
      registrar.add("registerToolMetadata", "toolMetadata", () =>
        readToolMetadata(origin, metadata),
      );
    },
    registerReload(rules) {
      registrar.add("registerReload", "reloadRules", () => readReloadRules(origin, rules));
    },
    registerInteractiveHandler(handler) {
      registrar.add("registerInteractiveHandler", "interactiveHandlers", () =>
        readInteractiveHandler(origin, handler),
      );
    },
    registerContextEngine(engineId, factory) {
      registerContextEngine(registrar, host, { id: engineId, factory, config: visibleConfig() });
    },
    registerCompactionProvider(provider) {
      registrar.add("registerCompactionProvider", "compactionProviders", () =>
        readCompactionProvider(origin, provider),
      );
      if (provider?.id !== undefined && typeof provider.summarize !== "function") {
        tellUnserved(registrar, "registerCompactionProvider", "it has no summarize function");
      }
    },
    registerAgentHarness(harness) {
      registrar.add("registerAgentHarness", "agentHarnesses", () =>
        readAgentHarness(origin, harness),
      );
      if (typeof harness?.dispose === "function") instance.onDispose(() => harness.dispose?.());
    },
    registerOAuthCredential(credential) {
      return unregister(
        registrar.add("registerOAuthCredential", "oauthCredentials", () =>
          readOAuthCredential(origin, credential, (url) =>
            registrar.gate.use("network.hosts", url.host, `log in at "${url.host}"`, (hosts) =>
              namesHost(hosts, url),
            ),
          ),
        ),
      );
    },
    registerAgentToolResultMiddleware(middleware) {
      registrar.add("registerAgentToolResultMiddleware", "toolResultMiddlewares", () =>
        readToolResultMiddleware(origin, middleware),
      );
    },
    ...createOlderRegistrars(
      registrar,
      { lifecycle, events, controls, runContext },
      { on, registerTool, config: visibleConfig },
    ),
    ...createMemoryRegistrars(
      origin,
      (member, part) => registrar.add(member, "memory", () => part),
      { config: visibleConfig, runAgent: () => agentRunner(instance, host) },
    ),
    resolvePath(input) {
      if (input === "~" || input.startsWith("~/")) return join(homedir(), input.slice(1));
      return resolve(rootDir, input);
    },
  });
  // Older plugins answer webhooks at any path; it is below that of the plugin, and not of the host.
  withProposals(instance, api, { isolation: host.isolation });
  noteRoutes(api, (route) => http.add(route, undefined, true));
  return api;
}

/** Returns the function with which a memory runs turns; undefined on a host without agents. */
function agentRunner(instance: PluginInstance, { services }: PluginHost) {
  const { complete, runAgent } = services;
  const isHosted = complete !== undefined && runAgent !== undefined;
  return isHosted ? createAgentRun(instance, { complete, runAgent }) : undefined;
}

function createLifecycle(
  registrar: Registrar,
  on: OpenClawPluginApi["lifecycle"]["on"],
): OpenClawPluginApi["lifecycle"] {
  const { instance } = registrar;
  return {
    signal: instance.signal,
    on,
    update(change) {
      instance.assertUsable("lifecycle.update");
      instance.update(change);
    },
    onDispose(callback) {
      instance.assertUsable("lifecycle.onDispose");
      instance.onDispose(callback);
    },
    registerRuntimeLifecycle(lifecycle) {
      const member = "lifecycle.registerRuntimeLifecycle";
      const item = registrar.read(member, () => readRuntimeLifecycle(instance.origin, lifecycle));
      if (item === undefined) return;
      registrar.add(member, "runtimeLifecycles", () => item);
      if (lifecycle.dispose !== undefined) instance.onDispose(() => lifecycle.dispose?.());
    },
  };
}
