import type { PluginApprovals } from "../approvals/approvals.js";
import type { TrustedToolPolicy } from "../approvals/trusted-tool-policy.js";
import type { ChannelRegistration } from "../channel/channel.js";
import type { InteractiveHandler } from "../channel/interactive-handler.js";
import type { DefinedHook } from "../hooks/definition.js";
import type { CheckedHandler, HookAnswers } from "../hooks/handler.js";
import type { InternalEvent, InternalEventName } from "../hooks/internal-event.js";
import type { HookName } from "../hooks/map.js";
import type { HookOptions } from "../hooks/options.js";
import type { PluginJobs } from "../host/jobs.js";
import type { OAuthCredential } from "../host/oauth.js";
import type { PluginStore } from "../host/plugin-store.js";
import type { HostRuntime } from "../host/runtime.js";
import type { GatewayEvents } from "../http/gateway-events.js";
import type { GatewayMethodHandler, GatewayMethodOptions } from "../http/gateway-method.js";
import type { HttpNodeHandler, HttpRoute } from "../http/route.js";
import type { Logger } from "../logger.js";
import type { AgentHarness } from "../providers/agent-harness.js";
import type { CompactionProvider } from "../providers/compaction.js";
import type { ContextEngineFactory } from "../providers/context-engine.js";
import type { DescribedProvider } from "../providers/described-provider.js";
import type { MemoryRegistrars } from "../providers/memory-registrars.js";
import type { ModelProvider } from "../providers/model.js";
import type { SessionExtension } from "../sessions/extension.js";
import type {
  NextTurnInjection,
  NextTurnInjectionReceipt,
} from "../sessions/next-turn-injection.js";
import type { PluginSession } from "../sessions/session.js";
import type {
  AnyAgentTool,
  ToolFactory,
  ToolFactoryV2,
  ToolRegistrationOptions,
} from "../tools/definition.js";
import type { ToolMetadata } from "../tools/metadata.js";
import type { AgentToolResultMiddleware } from "../tools/result-middleware.js";
import type { CliRegistrar, CliRegistrationOptions } from "./cli-registration.js";
import type { PluginCommand } from "./command.js";
import type { HookSet } from "./hook-set.js";
import type { PluginLifecycle } from "./lifecycle.js";
import type {
  AgentEvents,
  OlderRegistrars,
  RunContext,
  SessionControls,
} from "./older-registrars.js";
import type { PluginPanel } from "./panel.js";
import type { PluginPrompt } from "./prompt.js";
import type { ReloadRules } from "./reload-rules.js";
import type { PluginResource } from "./resource.js";
import type { SafetyRule } from "./safety-rule.js";
import type { PluginService } from "./service.js";
import type { Unregister } from "./unregister.js";

/** Origin of a plugin: bundled with the host, in a workspace, installed, or at a configured path. */
export type PluginOrigin = "bundled" | "workspace" | "global" | "config";

/** Hook file that an older plugin names as the origin of a handler. */
export interface HookFileEntry {
  readonly hook: { readonly name: string; readonly description?: string };
}

/** Problem that a plugin reports about itself. */
export interface ReportedProblem {
  /** `error`: a part of the plugin does not work; `warn`: it may surprise. */
  readonly level: "warn" | "error";
  /** One sentence without secrets: what is wrong, with the expected and the given value. */
  readonly message: string;
  /** Next step of the operator. */
  readonly hint: string;
}

/** Options of `api.registerHook` (LIFE-043). */
export interface RegisterHookOptions extends HookOptions {
  description?: string;
  /** Hook file of the handler; provides the name and description when they are absent. */
  entry?: HookFileEntry;
  /** False lists the handler in the registry and never runs it. */
  register?: boolean;
}

/**
 * Argument of a plugin's `register`. Each method throws `PluginDisposedError` once the plugin is unloaded. A
 * registration with an invalid argument is left out, and the diagnostics say why; with `plugins.strict` the method throws
 * `PluginRegistrationError`.
 * @typeParam Config - type of the plugin's configuration
 */
export interface OpenClawPluginApi<Config = Record<string, unknown>>
  extends MemoryRegistrars,
    OlderRegistrars {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** Origin of the plugin; some registrations are available to bundled plugins only. */
  readonly origin: PluginOrigin;
  /** File from which the plugin was loaded. */
  readonly source: string;
  /** Folder of the plugin. */
  readonly rootDir: string;
  /**
   * Configuration of the host, frozen. The plugin's own entry and channels are complete; secrets elsewhere are redacted.
   */
  readonly config: Readonly<Record<string, unknown>>;
  /** Configuration of this plugin, frozen, with defaults applied. */
  readonly pluginConfig: Readonly<Config>;
  readonly logger: Logger;
  /**
   * Reports something that the operator should correct, for example a wrong value of the plugin's configuration: `openclaw
   * doctor` and `openclaw plugins inspect` show it until the plugin is loaded again (SDK-065).
   * @param problem - the mistake, and its correction
   */
  diagnose(problem: ReportedProblem): void;
  /** Capabilities of the host. */
  readonly runtime: HostRuntime;
  /** Storage of the plugin; throws `RuntimeCapabilityError` on a host without a store. */
  readonly store: PluginStore;
  /** Registration mode; currently always everything, once per generation. */
  readonly registrationMode: "full";
  readonly lifecycle: PluginLifecycle;
  readonly session: PluginSession & { readonly controls: SessionControls };
  /** Events of agents' runs. */
  readonly agent: { readonly events: AgentEvents };
  /** Values for runs of agents. */
  readonly runContext: RunContext;
  readonly approvals: PluginApprovals;
  /** Background jobs of the plugin (JOB-980). */
  readonly jobs: PluginJobs;
  /** Events of the plugin for connected clients (GW-030). */
  readonly gatewayEvents: GatewayEvents;
  /**
   * Registers a hook handler.
   * @param name - a catalogued hook
   * @param handler - handler, called with the event and its own context
   * @param options - order, deadline, failure mode, scope
   * @returns a function that removes the registration
   */
  on: <Name extends HookName, Answer extends HookAnswers[Name]>(
    name: Name,
    handler: CheckedHandler<Name, Answer>,
    options?: HookOptions<Name>,
  ) => Unregister;
  /**
   * Registers one handler for a hook or a list of hooks (LIFE-039).
   * @param names - hook names
   * @param handler - handler, called with `(event, context)` of the hook that fires
   * @param options - the options of `on`, and `register: false` to list it only
   */
  registerHook<Name extends HookName, Answer extends HookAnswers[Name]>(
    names: Name | readonly Name[],
    handler: CheckedHandler<Name, Answer>,
    options?: RegisterHookOptions,
  ): Unregister;
  /**
   * Registers one handler for events of older plugins, such as `command:new` (LIFE-040). New plugins use hooks.
   * @param names - names of events; a bare type receives all its actions
   * @param handler - handler, called with one event
   * @param options - priority and description
   */
  registerHook(
    names: InternalEventName | readonly InternalEventName[],
    handler: (event: InternalEvent) => unknown,
    options?: RegisterHookOptions,
  ): Unregister;
  /**
   * Registers a handler created by `defineHook`.
   * @param hook - name, handler and options
   */
  registerHook<Name extends HookName, Answer extends HookAnswers[Name]>(
    hook: DefinedHook<Name, Answer>,
  ): Unregister;
  /**
   * Registers hooks that are written as configuration, so that `openclaw hooks` lists, tests and changes them. It adds no
   * handler: the plugin registers those with `on`.
   */
  registerHookSet(set: HookSet): void;
  /**
   * Registers a tool for agents, subject to policy (PLUG-029).
   * @param tool - the tool, or a factory called when a session's tool set is built
   * @param options - declared names and whether the tool is optional
   */
  registerTool(
    tool: AnyAgentTool | ToolFactory | ToolFactoryV2,
    options?: ToolRegistrationOptions,
  ): void;
  /**
   * Registers a provider of language models.
   * @param provider - the provider; its models are named `<provider id>/<model id>`. Older plugins describe the API of
   * their models instead of creating them
   */
  registerProvider(provider: ModelProvider | DescribedProvider): void;
  /**
   * Registers a slash command that is answered without a model (PLUG-033).
   * @param command - the command, with a name that is not registered yet
   */
  registerCommand(command: PluginCommand): void;
  /**
   * Registers a prompt: a slash command `/plugin:name` in chats, and a prompt for MCP clients (PLUG-350).
   * @param prompt - the prompt, with a name that the plugin did not register yet
   */
  registerPrompt(prompt: PluginPrompt): void;
  /**
   * Registers a resource: agents read it with the tools `plugin__list_resources` and `plugin__read_resource`, which are on
   * the path of all tools, and MCP clients by its URI (PLUG-351).
   * @param resource - the resource, with a URI that no plugin registered yet
   */
  registerResource(resource: PluginResource): void;
  /**
   * Registers a panel: a page of the plugin that the web console shows in a sandboxed frame (SDK-523).
   * @param panel - the panel, with an ID that the plugin did not register yet
   */
  registerPanel(panel: PluginPanel): void;
  /**
   * Registers an HTTP route (PLUG-034).
   * @param route - path, handler and authentication
   * @returns a function that removes it
   */
  registerHttpRoute(route: HttpRoute): Unregister;
  /**
   * Legacy: registers an HTTP route.
   * @param path - path that begins with a slash
   * @param handler - handler in the style of `node:http`
   */
  registerHttpRoute(path: string, handler: HttpNodeHandler): void;
  /**
   * Legacy: registers a handler that is called for each request that no route handled.
   * @param handler - handler; returns false to pass the request to the next one
   */
  registerHttpHandler(handler: HttpNodeHandler): void;
  /**
   * Registers a messaging channel (PLUG-035). One that is registered while the host runs starts at once.
   * @param channel - the channel, or an object with the channel as `plugin`
   * @returns a function that removes it, which ends its accounts
   */
  registerChannel(channel: ChannelRegistration): Unregister;
  /**
   * Registers a method of the gateway's protocol (PLUG-035).
   * @param method - name that is not registered yet
   * @param handler - handles calls
   * @param options - scope that callers need
   */
  registerGatewayMethod(
    method: string,
    handler: GatewayMethodHandler,
    options?: GatewayMethodOptions,
  ): void;
  /**
   * Registers commands of the command line (PLUG-035).
   * @param registrar - adds the commands; called only when one of them is invoked
   * @param options - names of the commands
   */
  registerCli(registrar: CliRegistrar, options?: CliRegistrationOptions): void;
  /**
   * Registers a service that runs while the host runs (PLUG-036).
   * @param service - the service, started after `gateway_start` and stopped in reverse order
   */
  registerService(service: PluginService): void;
  /**
   * Registers a policy that evaluates tool calls before ordinary hooks (PLUG-037).
   * @param policy - the policy, with an id from the manifest's `contracts.trustedToolPolicies`
   */
  registerTrustedToolPolicy(policy: TrustedToolPolicy): void;
  /**
   * Adds a rule to the safety engine, which inspects messages, tool calls, replies and requests (SAFE-023).
   * @param rule - an invalid pattern or a failing example is rejected
   */
  registerSafetyRule(rule: SafetyRule): void;
  /** Alias of `session.state.registerSessionExtension`. */
  registerSessionExtension(extension: SessionExtension): void;
  /** Alias of `session.workflow.enqueueNextTurnInjection`. */
  enqueueNextTurnInjection(injection: NextTurnInjection): Promise<NextTurnInjectionReceipt>;
  /**
   * Registers a login at another service, which the operator makes with `openclaw secrets login`. The tokens are stored
   * encrypted; `runtime.oauth.accessToken` returns a fresh one (SDK-066).
   * @param credential - authorization server and client
   * @returns a function that removes the registration; its tokens are kept until a logout
   */
  registerOAuthCredential(credential: OAuthCredential): Unregister;
  /**
   * Adds metadata to one of the plugin's tools, or text for the model to the description of any tool.
   * @param metadata - fields that the tool's definition does not have
   */
  registerToolMetadata(metadata: ToolMetadata): void;
  /**
   * Declares which changes of the plugin's configuration need a restart, a reload, or nothing.
   * @param rules - prefixes of configuration paths
   */
  registerReload(rules: ReloadRules): void;
  /**
   * Registers a handler for buttons and menus that the plugin sent to a channel.
   * @param handler - handler of one channel and namespace
   */
  registerInteractiveHandler(handler: InteractiveHandler): void;
  /**
   * Registers a context engine, which selects the part of the conversation sent to the model.
   * @param id - id for `plugins.slots.contextEngine`
   * @param factory - creates the engine when the slot selects it
   */
  registerContextEngine(id: string, factory: ContextEngineFactory): void;
  /** Registers a provider of compaction, which shortens conversations. */
  registerCompactionProvider(provider: CompactionProvider): void;
  /**
   * Registers an agent harness, which runs turns instead of the model loop of the host where the configuration or its own
   * models select it.
   */
  registerAgentHarness(harness: AgentHarness): void;
  /**
   * Registers middleware that can replace tool results before they are sent to a model.
   * @param middleware - called with each result
   */
  registerAgentToolResultMiddleware(middleware: AgentToolResultMiddleware): void;
  /**
   * Returns the absolute form of a path.
   * @param input - path relative to the plugin's folder, or beginning with `~`
   */
  resolvePath(input: string): string;
}
