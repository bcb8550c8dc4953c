import type { HookContext, HookEvent, HookHandler, HookName } from "./hook-map.js";
import type { HookOptions } from "./hook-options.js";
import type { LifecycleAlias, LifecyclePhase, PhaseHook } from "./lifecycle-phases.js";
import type { Logger } from "./logger.js";
import type { ModelProvider } from "./model-provider.js";
import type { AnyAgentTool, ToolFactory, ToolRegistrationOptions } from "./tool-definition.js";

/** Takes a registration back; safe to call twice, and usable with `using`. */
export interface Unregister extends Disposable {
  (): void;
}

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

/** The handlers that `api.registerHook` accepts for a list of names. */
export type AnyHookHandler<Name extends HookName> = (
  event: HookEvent<Name>,
  context: HookContext<Name>,
) => unknown;

/** Lifecycle side of the `api`. */
export interface PluginLifecycle {
  /** Aborts when the plugin's generation ends (LIFE-034). */
  readonly signal: AbortSignal;
  /**
   * Runs a callback when the plugin's generation ends: last registered first, each awaited for up
   * to 5 seconds, a failure logged (LIFE-034).
   * @param callback - releases what the plugin holds
   */
  onDispose(callback: () => void | Promise<void>): void;
  /**
   * Registers a handler by lifecycle phase or alias; the same registry as `api.on` (LIFE-029).
   * @param phase - for example `tool.pre` or `preToolExecution`
   * @param handler - typed as the mapped hook's handler
   * @param options - the options of `api.on`
   */
  on<Phase extends LifecyclePhase | LifecycleAlias>(
    phase: Phase,
    handler: HookHandler<PhaseHook<Phase>>,
    options?: HookOptions<PhaseHook<Phase>>,
  ): Unregister;
}

/**
 * What a plugin's `register` is given.
 * @typeParam Config - type of the plugin's configuration
 */
export interface OpenClawPluginApi<Config = Record<string, unknown>> {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  /** File the plugin was loaded from. */
  readonly source: string;
  /** The plugin's folder. */
  readonly rootDir: string;
  /** The host's configuration, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
  /** This plugin's configuration, frozen, defaults filled in. */
  readonly pluginConfig: Readonly<Config>;
  readonly logger: Logger;
  readonly lifecycle: PluginLifecycle;
  /**
   * Registers a hook handler.
   * @param name - a catalogued hook
   * @param handler - called with the event and its own context
   * @param options - order, deadline, failure mode, scope
   * @returns a function that takes the registration back
   */
  on: <Name extends HookName>(
    name: Name,
    handler: HookHandler<Name>,
    options?: HookOptions<Name>,
  ) => Unregister;
  /**
   * Registers one handler for a hook or a list of hooks (LIFE-039).
   * @param names - hook names
   * @param handler - called with `(event, context)` of whichever hook fires
   * @param options - the options of `on`, and `register: false` to list it only
   */
  registerHook<Name extends HookName>(
    names: Name | readonly Name[],
    handler: AnyHookHandler<Name>,
    options?: RegisterHookOptions,
  ): Unregister;
  /**
   * Offers a tool to agents, subject to policy.
   * @param tool - the tool, or a factory called when a session's tool set is built
   * @param options - declared names and whether the tool is optional
   */
  registerTool(tool: AnyAgentTool | ToolFactory, options?: ToolRegistrationOptions): void;
  /**
   * Offers a source of language models.
   * @param provider - its models are named `<provider id>/<model id>`
   */
  registerProvider(provider: ModelProvider): void;
  /**
   * Makes a path absolute.
   * @param input - relative to the plugin's folder, or starting with `~`
   */
  resolvePath(input: string): string;
}
