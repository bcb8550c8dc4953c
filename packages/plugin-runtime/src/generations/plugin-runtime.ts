import { errorMessage, Mutex } from "@openclaw/foundation";
import type { HookDispatch, HookRunner } from "@openclaw/hook-runner";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { CleanupRequest } from "@openclaw/plugin-sdk/lifecycle";
import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import type { VisibleConfig } from "@openclaw/plugin-sdk/services";
import type { HostConfiguration } from "../configuration/plugins-configuration.js";
import type { PluginRuntimeOptions } from "../configuration/runtime-options.js";
import { PluginRuntimeDisposedError } from "../errors.js";
import { HookBindings } from "../hooks/bindings.js";
import { HookEngine } from "../hooks/engine.js";
import { prepareModuleLoading } from "../loading/module-loader.js";
import { planPlugins } from "../planning/plan.js";
import type { PluginServiceRegistration } from "../registration/service.js";
import { ChangeEmitter, type PluginsChanged } from "./change-emitter.js";
import type { PluginGeneration } from "./generation.js";
import { Generations, type PluginPin } from "./generations.js";
import { type GatewayStart, HostPhases } from "./host-phases.js";
import { describePlan, type PluginOverview } from "./overview.js";
import { PluginLoader, type PluginReload } from "./plugin-loader.js";
import { SERVICE_DEADLINE_MS, ServiceRunner } from "./service-runner.js";
import { startServices } from "./services.js";

/** Time all callbacks of the plugins have together when the runtime ends, in milliseconds (D19). */
const END_MS = 20_000;

/** What of the hook engine a host may look at. */
export type HookInspection = Pick<
  HookRunner<HookMap>,
  "explain" | "counters" | "registrations" | "trace" | "intercept"
>;

/** Finds, loads and holds a host's plugins. */
export interface PluginRuntime {
  /** The newest generation; number 0, without plugins, before the first load. */
  readonly current: PluginGeneration;
  /** Dispatches hooks outside a turn, always to the newest generation. */
  readonly hooks: HookDispatch<HookMap>;
  /** Explains, counts and traces what the hooks do. */
  readonly inspection: HookInspection;
  /** The host's configuration of this moment, frozen, secrets redacted: what host hooks are shown. */
  readonly visibleConfig: VisibleConfig;
  /**
   * Loads all plugins into a new generation: discover, read manifests, decide, import, register. A
   * plugin that fails leaves nothing behind, and the others go on; one that was loaded before and
   * fails now keeps serving as it was (PLUG-049). Calls while a load is under way share it.
   */
  load(): Promise<PluginGeneration>;
  /**
   * Loads one plugin anew, or all of them, aside from the generation that serves. The new generation
   * takes its place in one step, and only when import, register and services have succeeded; otherwise
   * the plugin goes on as it was, and the diagnostics say why (PLUG-049).
   * @param pluginId - the plugin, on or off; all of them when absent
   * @param options - a changed configuration
   * @throws PluginNotFoundError
   */
  reload(pluginId?: string, options?: ReloadOptions): Promise<PluginReload>;
  /**
   * Listens for new generations, `plugins.changed` (PLUG-050).
   * @param listener - called once the new generation counts
   * @returns a function that takes the listener back
   */
  onChanged(listener: (change: PluginsChanged) => void): Unregister;
  /** What `load` would find and decide; no code of any plugin runs (PLUG-059). */
  discover(): Promise<PluginOverview>;
  /** Holds the newest generation until it is released. */
  pin(): PluginPin;
  /**
   * Tells the plugins that the host boots: dispatches `gateway_pre_start`.
   * @param event - port, host and reason
   * @param context - of the host
   * @throws PluginHookExecutionError when a handler that may fail the boot does
   */
  boot(
    event: HookMap["gateway_pre_start"]["event"],
    context: HookMap["gateway_pre_start"]["context"],
  ): Promise<void>;
  /**
   * Tells the plugins that the host runs: dispatches `gateway_start`, and right after it starts the
   * services, in the order of registration (PLUG-036). Plugins that are loaded later are told when they
   * are (LIFE-036).
   * @param start - event and context of the hook
   */
  start(start: GatewayStart): Promise<void>;
  /**
   * Lets the plugins clean up for a session that is reset or deleted; resolves when all have, or had 5
   * seconds for each callback (LIFE-035, PLUG-042).
   * @param request - why, and which session
   */
  cleanUp(request: Required<CleanupRequest>): Promise<void>;
  /**
   * Whether a plugin may add to prompts; what it left for next turns is dropped where it may not
   * (HOOK-046).
   * @param pluginId - the plugin
   */
  mayAddToPrompts(pluginId: string): boolean;
  /**
   * Ends all plugins: services stop in reverse order, then the callbacks run, each with 5 seconds at
   * most. The runtime can load none afterwards.
   * @param deadlineMs - time for all of it, in milliseconds; default 20 000
   */
  dispose(deadlineMs?: number): Promise<void>;
}

/** What a reload takes into account. */
export interface ReloadOptions {
  /** The host's configuration from now on, if the reload succeeds. */
  readonly config?: HostConfiguration;
}

/**
 * Makes a plugin runtime. Nothing is read and nothing loaded before `load` or `discover`.
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
  readonly #loader: PluginLoader;
  /** Plugins are changed by one after another. */
  readonly #work = new Mutex();
  #loading: Promise<PluginGeneration> | undefined;
  #end: Promise<void> | undefined;

  constructor(options: PluginRuntimeOptions) {
    this.#options = options;
    this.#engine = new HookEngine(options, (diagnostic) => this.#generations.note(diagnostic));
    this.#phases = new HostPhases(this.#engine.runner);
    this.#services = new ServiceRunner((item, problem) => this.#tellService(item, problem));
    this.#changes = new ChangeEmitter(options.logger);
    const bindings = new HookBindings(this.#engine);
    const { names = {} } = options.hostServices ?? {};
    this.#generations = new Generations({
      engine: this.#engine,
      bindings,
      services: this.#services,
      reservedNames: {
        tools: names.tools ?? [],
        commands: names.commands ?? [],
        gatewayHandlers: names.gatewayMethods ?? [],
        cliRegistrars: names.cliCommands ?? [],
      },
      disabled: (pluginId) => this.#tellDisabled(pluginId),
      startLate: (instance, item) => {
        if (this.#phases.isRunning) void startServices([item], [instance], this.#services);
      },
    });
    this.#loader = new PluginLoader({
      options,
      bindings,
      phases: this.#phases,
      services: this.#services,
      generations: this.#generations,
      changes: this.#changes,
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
    // One after another with loads, so that the services of a plugin are started by one of the two.
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
      await instance.end("restart", left);
    }
  }

  async #tellDisabled(pluginId: string): Promise<void> {
    try {
      await this.#options.hostServices?.pluginDisabled?.(pluginId);
    } catch (error) {
      const problem = `what plugin "${pluginId}" kept with sessions could not be dropped: ${errorMessage(error)}`;
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
