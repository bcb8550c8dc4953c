import { errorMessage, Mutex } from "@openclaw/foundation";
import type { HookDispatch, HookRunner } from "@openclaw/hook-runner";
import { describePlan, type PluginOverview, planPlugins } from "@openclaw/plugin-discovery";
import {
  IsolatedLoader,
  importDataPorts,
  loggedFaults,
  type PluginDataOutcome,
  type PluginFaults,
  PluginLoaders,
  prepareModuleLoading,
} from "@openclaw/plugin-loader";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { CleanupRequest } from "@openclaw/plugin-sdk/lifecycle";
import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import type { VisibleConfig } from "@openclaw/plugin-sdk/services";
import { SYNC_HOOKS } from "../catalog/catalog.js";
import { PluginRuntimeDisposedError } from "../errors.js";
import { HookBindings } from "../hooks/bindings.js";
import { HookEngine } from "../hooks/engine.js";
import { dispatchEvent, type FiredEvent, handlersOf } from "../hooks/event-dispatch.js";
import type { PluginServiceRegistration } from "../registration/service.js";
import { ChangeEmitter, type PluginsChanged } from "./change-emitter.js";
import type { PluginGeneration } from "./generation.js";
import { GenerationLoader, type PluginReload, type ReloadOptions } from "./generation-loader.js";
import { Generations, type PluginPin } from "./generations.js";
import { type GatewayStart, HostPhases } from "./host-phases.js";
import type { PluginRuntimeOptions } from "./runtime-options.js";
import { SERVICE_DEADLINE_MS, ServiceRunner } from "./service-runner.js";
import { startServices } from "./services.js";

/**
 * Time that all callbacks of the plugins have together when the runtime is disposed, in
 * milliseconds (D19).
 */
const END_MS = 20_000;

/** Parts of the hook engine that a host may inspect. */
export type HookInspection = Pick<
  HookRunner<HookMap>,
  "explain" | "counters" | "registrations" | "trace" | "intercept"
>;

/** Finds, loads and manages a host's plugins. */
export interface PluginRuntime {
  /** The newest generation; number 0, without plugins, before the first load. */
  readonly current: PluginGeneration;
  /** Dispatches hooks outside a turn, always to the newest generation. */
  readonly hooks: HookDispatch<HookMap>;
  /** Explains, counts and traces hook dispatches. */
  readonly inspection: HookInspection;
  /** The host's current configuration, frozen and redacted, as hooks of the host see it. */
  readonly visibleConfig: VisibleConfig;
  /**
   * Loads all plugins into a new generation: discover, read manifests, plan, import, register. A
   * plugin that fails has no effect, and the others continue; if it was loaded before, its previous
   * state continues to serve (PLUG-049). Calls during a load share it.
   */
  load(): Promise<PluginGeneration>;
  /**
   * Reloads one plugin, or all of them, in isolation from the active generation. The new generation
   * is activated in one step, only after import, register and services have succeeded; otherwise
   * the plugin continues unchanged, and the diagnostics give the reason (PLUG-049).
   * @param pluginId - the plugin, enabled or not; all plugins when absent
   * @param options - a changed configuration
   * @throws PluginNotFoundError
   */
  reload(pluginId?: string, options?: ReloadOptions): Promise<PluginReload>;
  /**
   * Listens for new generations, `plugins.changed` (PLUG-050).
   * @param listener - called once the new generation is active
   * @returns a function that removes the listener
   */
  onChanged(listener: (change: PluginsChanged) => void): Unregister;
  /**
   * Listens for channels that running plugins register or remove.
   * @param listener - called after each change
   * @returns a function that removes the listener
   */
  onChannelsChanged(listener: () => void): Unregister;
  /** Returns the result that `load` would have; runs no plugin code (PLUG-059). */
  discover(): Promise<PluginOverview>;
  /**
   * Imports plugins, without registering anything, and returns their data ports or the reasons why they have none.
   * @param pluginIds - plugins with data, enabled or not
   */
  dataPorts(pluginIds: readonly string[]): Promise<ReadonlyMap<string, PluginDataOutcome>>;
  /** Pins the newest generation until it is released. */
  pin(): PluginPin;
  /**
   * Notifies the plugins that the host boots: dispatches `gateway_pre_start`.
   * @param event - port, host and reason
   * @param context - context of the host
   * @throws PluginHookExecutionError when a handler that may fail the boot fails
   */
  boot(
    event: HookMap["gateway_pre_start"]["event"],
    context: HookMap["gateway_pre_start"]["context"],
  ): Promise<void>;
  /**
   * Notifies the plugins that the host runs: dispatches `gateway_start`, then starts the services
   * in the order of registration (PLUG-036). Plugins that are loaded later are notified at that
   * time (LIFE-036).
   * @param start - event and context of the hook
   */
  start(start: GatewayStart): Promise<void>;
  /**
   * Runs the plugins' cleanups for a session that is reset or deleted; resolves when all have
   * finished, or after 5 seconds for each callback (LIFE-035, PLUG-042).
   * @param request - the reason, and the session
   */
  cleanUp(request: Required<CleanupRequest>): Promise<void>;
  /**
   * Returns true when a plugin may add to prompts; otherwise its stored additions for next turns
   * are dropped (HOOK-046).
   */
  mayAddToPrompts(pluginId: string): boolean;
  /**
   * Calls code of a plugin, such as a tool, so that what it does to the process is attributed to it.
   * @param call - calls the plugin
   */
  callPlugin<Result>(pluginId: string, call: () => Result): Result;
  /**
   * Calls the handlers of an event of older plugins that follows no hook, `command:…` or `agent:bootstrap` (LIFE-040).
   * @returns the strings that handlers pushed (LIFE-041)
   */
  fireEvent(event: FiredEvent): Promise<readonly string[]>;
  /**
   * Returns true if a plugin handles an event that {@link PluginRuntime.fireEvent} fires.
   * @param event - type and action
   */
  handlesEvent(event: Pick<FiredEvent, "type" | "action">): boolean;
  /**
   * Ends all plugins: services stop in reverse order, then the callbacks run, each for at most 5
   * seconds. The runtime cannot load plugins afterwards.
   * @param deadlineMs - total time, in milliseconds; default 20 000
   */
  dispose(deadlineMs?: number): Promise<void>;
}

/**
 * Creates a plugin runtime. Reads and loads nothing before `load` or `discover`.
 * @param options - configuration, places and services of the host
 */
export function createPluginRuntime(options: PluginRuntimeOptions): PluginRuntime {
  prepareModuleLoading(options);
  return new Runtime(options);
}

class Runtime implements PluginRuntime {
  readonly #options: PluginRuntimeOptions;
  readonly #engine: HookEngine;
  readonly #phases: HostPhases;
  readonly #services: ServiceRunner;
  readonly #generations: Generations;
  readonly #changes: ChangeEmitter;
  readonly #channelChanges: ChangeEmitter<void>;
  readonly #loader: GenerationLoader;
  readonly #faults: PluginFaults;
  readonly #loaders: PluginLoaders;
  /** Changes of plugins run one after another. */
  readonly #work = new Mutex();
  #loading: Promise<PluginGeneration> | undefined;
  #end: Promise<void> | undefined;

  constructor(options: PluginRuntimeOptions) {
    this.#options = options;
    this.#faults = options.faults ?? loggedFaults(options.logger);
    this.#engine = new HookEngine(options, this.#faults, (diagnostic) =>
      this.#generations.note(diagnostic),
    );
    this.#phases = new HostPhases(this.#engine.runner);
    this.#services = new ServiceRunner(this.#faults, (item, problem) =>
      this.#tellService(item, problem),
    );
    this.#changes = new ChangeEmitter(options.logger);
    this.#channelChanges = new ChangeEmitter(options.logger, "changed channels");
    const bindings = new HookBindings(this.#engine);
    const { names = {} } = options.hostServices ?? {};
    this.#generations = new Generations({
      engine: this.#engine,
      bindings,
      services: this.#services,
      faults: this.#faults,
      reservedNames: {
        tools: names.tools ?? [],
        commands: names.commands ?? [],
        channels: names.channels ?? [],
        gatewayHandlers: names.gatewayMethods ?? [],
        cliRegistrars: names.cliCommands ?? [],
      },
      disabled: (pluginId) => this.#tellDisabled(pluginId),
      startLate: (instance, item) => {
        if (this.#phases.isRunning) void startServices([item], [instance], this.#services);
      },
      channelsChanged: () => this.#channelChanges.emit(),
    });
    this.#loaders = new PluginLoaders([...(options.loaders ?? []), new IsolatedLoader(SYNC_HOOKS)]);
    this.#loader = new GenerationLoader({
      options,
      loaders: this.#loaders,
      bindings,
      phases: this.#phases,
      services: this.#services,
      generations: this.#generations,
      changes: this.#changes,
      faults: this.#faults,
    });
  }

  get hooks(): HookDispatch<HookMap> {
    return this.#engine.runner;
  }

  get inspection(): HookInspection {
    return this.#engine.runner;
  }

  get visibleConfig(): VisibleConfig {
    return this.#loader.visibleConfig;
  }

  get current(): PluginGeneration {
    return this.#generations.current;
  }

  async discover(): Promise<PluginOverview> {
    return describePlan(await planPlugins(this.#loader.sources()));
  }

  async dataPorts(pluginIds: readonly string[]): Promise<ReadonlyMap<string, PluginDataOutcome>> {
    const { checkFiles } = this.#options;
    const plan = await planPlugins(this.#loader.sources());
    return await importDataPorts(plan, pluginIds, this.#loaders, {
      again: false,
      faults: this.#faults,
      checkFiles,
    });
  }

  async load(): Promise<PluginGeneration> {
    this.#assertOpen("load");
    this.#loading ??= this.#work
      .run(async () => (await this.#loader.loadAll()).generation)
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  async reload(pluginId?: string, { config }: ReloadOptions = {}): Promise<PluginReload> {
    this.#assertOpen("reload");
    return this.#work.run(() => {
      this.#assertOpen("reload");
      return pluginId === undefined
        ? this.#loader.loadAll(config)
        : this.#loader.loadOne(pluginId, config);
    });
  }

  onChanged(listener: (change: PluginsChanged) => void): Unregister {
    return this.#changes.listen(listener);
  }

  onChannelsChanged(listener: () => void): Unregister {
    return this.#channelChanges.listen(listener);
  }

  pin(): PluginPin {
    this.#assertOpen("pin");
    return this.#generations.pin();
  }

  boot(
    event: HookMap["gateway_pre_start"]["event"],
    context: HookMap["gateway_pre_start"]["context"],
  ): Promise<void> {
    return this.#phases.boot(event, context);
  }

  async start(start: GatewayStart): Promise<void> {
    let told: Promise<void> | undefined;
    // Serialised with loads, so that the services of a plugin are started only once.
    await this.#work.run(async () => {
      if (this.#end !== undefined) return;
      told = this.#phases.start(start).catch((error) => {
        this.#options.logger.error(`gateway_start failed: ${errorMessage(error)}`);
      });
      const { instances, current } = this.#generations;
      await startServices(current.services, instances, this.#services);
    });
    await told;
  }

  async cleanUp(request: Required<CleanupRequest>): Promise<void> {
    await Promise.all(this.#generations.instances.map((instance) => instance.cleanUp(request)));
  }

  mayAddToPrompts(pluginId: string): boolean {
    const instance = this.#generations.instances.find(({ id }) => id === pluginId);
    return instance?.grants.entry?.hooks?.allowPromptInjection !== false;
  }

  callPlugin<Result>(pluginId: string, call: () => Result): Result {
    return this.#faults.scope(pluginId).run(call);
  }

  async fireEvent(event: FiredEvent): Promise<readonly string[]> {
    const { logger } = this.#options;
    return await dispatchEvent(event, this.current.hooks, { faults: this.#faults, logger });
  }

  handlesEvent(event: Pick<FiredEvent, "type" | "action">): boolean {
    return handlersOf(event, this.current.hooks).length > 0;
  }

  dispose(deadlineMs = END_MS): Promise<void> {
    this.#end ??= this.#takeApart(performance.now() + deadlineMs);
    return this.#end;
  }

  async #takeApart(until: number): Promise<void> {
    this.#loader.close();
    this.#phases.end();
    await this.#work.idle();
    const left = () => Math.min(SERVICE_DEADLINE_MS, Math.max(0, until - performance.now()));
    await this.#services.stopAll(left);
    for (const instance of this.#generations.clear().toReversed()) {
      await this.#faults.scope(instance.id).run(() => instance.end("restart", left));
    }
    await this.#loader.disconnect();
    await this.#loaders.dispose();
  }

  async #tellDisabled(pluginId: string): Promise<void> {
    try {
      await this.#options.hostServices?.pluginDisabled?.(pluginId);
    } catch (error) {
      const problem = `session data of plugin "${pluginId}" could not be deleted: ${errorMessage(error)}`;
      this.#options.logger.error(problem, { pluginId });
    }
  }

  #tellService({ pluginId, service }: PluginServiceRegistration, problem: string): void {
    const message = `service "${service.id}" of plugin "${pluginId}" ${problem}`;
    const instance = this.#generations.instances.find(({ id }) => id === pluginId);
    this.#options.logger.error(message, { pluginId });
    instance?.diagnose({
      level: "error",
      code: "service-failed",
      message,
      hint: "correct the service; the rest of the plugin works",
    });
  }

  #assertOpen(member: string): void {
    if (this.#end !== undefined) throw new PluginRuntimeDisposedError(member);
  }
}
