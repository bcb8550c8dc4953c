import type { PluginApprovals } from "../approvals/approvals.js";
import type { TrustedToolPolicy } from "../approvals/trusted-tool-policy.js";
import type { ChannelRegistration } from "../channel/channel.js";
import type { InteractiveHandler } from "../channel/interactive-handler.js";
import type { DefinedHook } from "../hooks/definition.js";
import type { CheckedHandler, HookAnswers } from "../hooks/handler.js";
import type { HookName } from "../hooks/map.js";
import type { HookOptions } from "../hooks/options.js";
import type { PluginStore } from "../host/plugin-store.js";
import type { HostRuntime } from "../host/runtime.js";
import type { GatewayMethodHandler, GatewayMethodOptions } from "../http/gateway-method.js";
import type { HttpNodeHandler, HttpRoute } from "../http/route.js";
import type { Logger } from "../logger.js";
import type { CompactionProvider } from "../providers/compaction.js";
import type { ContextEngineFactory } from "../providers/context-engine.js";
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
import type { PluginLifecycle } from "./lifecycle.js";
import type { ReloadRules } from "./reload-rules.js";
import type { SafetyRule } from "./safety-rule.js";
import type { PluginService } from "./service.js";
import type { Unregister } from "./unregister.js";

/** Where a host found a plugin: with itself, in a workspace, installed, or by a configured path. */
export type PluginOrigin = "bundled" | "workspace" | "global" | "config";

/** The hook file that an older plugin names as the origin of a handler. */
export interface HookFileEntry {
  readonly hook: { readonly name: string; readonly description?: string };
}

/** Options of `api.registerHook` (LIFE-043). */
export interface RegisterHookOptions extends HookOptions {
  description?: string;
  /** Hook file the handler comes from; gives name and description where they are absent. */
  entry?: HookFileEntry;
  /** False lists the handler in the registry without running it. */
  register?: boolean;
}

/**
 * What a plugin's `register` is given. Every method throws `PluginDisposedError` once the plugin was
 * unloaded; one that registers throws `PluginRegistrationError` for an argument it cannot take.
 * @typeParam Config - type of the plugin's configuration
 */
export interface OpenClawPluginApi<Config = Record<string, unknown>> extends MemoryRegistrars {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** Where the host found the plugin; some registrations are for bundled plugins alone. */
  readonly origin: PluginOrigin;
  /** File the plugin was loaded from. */
  readonly source: string;
  /** The plugin's folder. */
  readonly rootDir: string;
  /** The host's configuration, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
  /** This plugin's configuration, frozen, defaults filled in. */
  readonly pluginConfig: Readonly<Config>;
  readonly logger: Logger;
  /** What the host can do for the plugin. */
  readonly runtime: HostRuntime;
  /** What the plugin keeps; throws `RuntimeCapabilityError` on a host without a store. */
  readonly store: PluginStore;
  /** What the plugin is asked to register: always everything, once per generation. */
  readonly registrationMode: "full";
  readonly lifecycle: PluginLifecycle;
  readonly session: PluginSession;
  readonly approvals: PluginApprovals;
  /**
   * Registers a hook handler.
   * @param name - a catalogued hook
   * @param handler - called with the event and its own context
   * @param options - order, deadline, failure mode, scope
   * @returns a function that takes the registration back
   */
  on: <Name extends HookName, Answer extends HookAnswers[Name]>(
    name: Name,
    handler: CheckedHandler<Name, Answer>,
    options?: HookOptions<Name>,
  ) => Unregister;
  /**
   * Registers one handler for a hook or a list of hooks (LIFE-039).
   * @param names - hook names
   * @param handler - called with `(event, context)` of whichever hook fires
   * @param options - the options of `on`, and `register: false` to list it only
   */
  registerHook<Name extends HookName, Answer extends HookAnswers[Name]>(
    names: Name | readonly Name[],
    handler: CheckedHandler<Name, Answer>,
    options?: RegisterHookOptions,
  ): Unregister;
  /**
   * Registers a handler as `defineHook` made it.
   * @param hook - name, handler and options
   */
  registerHook<Name extends HookName, Answer extends HookAnswers[Name]>(
    hook: DefinedHook<Name, Answer>,
  ): Unregister;
  /**
   * Offers a tool to agents, subject to policy (PLUG-029).
   * @param tool - the tool, or a factory called when a session's tool set is built
   * @param options - declared names and whether the tool is optional
   */
  registerTool(
    tool: AnyAgentTool | ToolFactory | ToolFactoryV2,
    options?: ToolRegistrationOptions,
  ): void;
  /**
   * Offers a source of language models.
   * @param provider - its models are named `<provider id>/<model id>`
   */
  registerProvider(provider: ModelProvider): void;
  /**
   * Offers a slash command that is answered without a model (PLUG-033).
   * @param command - its name must be free
   */
  registerCommand(command: PluginCommand): void;
  /**
   * Answers an address of the gateway (PLUG-034).
   * @param route - path, handler, and who checks requests
   */
  registerHttpRoute(route: HttpRoute): void;
  /**
   * Answers an address of the gateway, in the way of older plugins.
   * @param path - begins with a slash
   * @param handler - in Node's style
   */
  registerHttpRoute(path: string, handler: HttpNodeHandler): void;
  /**
   * Is asked for every request that no route answers, in the way of older plugins.
   * @param handler - false passes the request on
   */
  registerHttpHandler(handler: HttpNodeHandler): void;
  /**
   * Offers a surface that people write on (PLUG-035).
   * @param channel - the channel, or an object that has it as `plugin`
   */
  registerChannel(channel: ChannelRegistration): void;
  /**
   * Adds a method to the gateway's protocol (PLUG-035).
   * @param method - its name must be free
   * @param handler - answers calls
   * @param options - what callers need
   */
  registerGatewayMethod(
    method: string,
    handler: GatewayMethodHandler,
    options?: GatewayMethodOptions,
  ): void;
  /**
   * Adds commands to the command line (PLUG-035).
   * @param registrar - called only when one of its commands is invoked
   * @param options - names of the commands
   */
  registerCli(registrar: CliRegistrar, options?: CliRegistrationOptions): void;
  /**
   * Runs something for as long as the host does (PLUG-036).
   * @param service - started after `gateway_start`, stopped in reverse order
   */
  registerService(service: PluginService): void;
  /**
   * Judges tool calls before any ordinary hook (PLUG-037).
   * @param policy - its id is declared in the manifest's `contracts.trustedToolPolicies`
   */
  registerTrustedToolPolicy(policy: TrustedToolPolicy): void;
  /**
   * Adds a rule to the safety engine, which inspects messages, tool calls, requests and logs (SAFE-023).
   * @param rule - an invalid pattern or a failing example is rejected
   */
  registerSafetyRule(rule: SafetyRule): void;
  /** The same as `session.state.registerSessionExtension`. */
  registerSessionExtension(extension: SessionExtension): void;
  /** The same as `session.workflow.enqueueNextTurnInjection`. */
  enqueueNextTurnInjection(injection: NextTurnInjection): Promise<NextTurnInjectionReceipt>;
  /**
   * Describes one of the plugin's own tools.
   * @param metadata - beyond the tool's definition
   */
  registerToolMetadata(metadata: ToolMetadata): void;
  /**
   * Says what changes of the plugin's configuration call for.
   * @param rules - by the first keys of the changed path
   */
  registerReload(rules: ReloadRules): void;
  /**
   * Handles buttons and menus that the plugin sent to a channel.
   * @param handler - for one channel and namespace
   */
  registerInteractiveHandler(handler: InteractiveHandler): void;
  /**
   * Offers a choice of what of a conversation models are shown.
   * @param id - names it in `plugins.slots.contextEngine`
   * @param factory - makes it when the slot is given to it
   */
  registerContextEngine(id: string, factory: ContextEngineFactory): void;
  /**
   * Offers a way of shortening conversations.
   * @param provider - named by its id
   */
  registerCompactionProvider(provider: CompactionProvider): void;
  /**
   * Replaces results of tools before models see them.
   * @param middleware - called with each result
   */
  registerAgentToolResultMiddleware(middleware: AgentToolResultMiddleware): void;
  /**
   * Makes a path absolute.
   * @param input - relative to the plugin's folder, or starting with `~`
   */
  resolvePath(input: string): string;
}
