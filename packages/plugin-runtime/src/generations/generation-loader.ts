import { join } from "node:path";
import { errorMessage, nearestName } from "@openclaw/foundation";
import {
  type ConfigReader,
  declaredHooksOf,
  declaredServersOf,
  type HostConfiguration,
  type PlanSources,
  type PluginDiagnostic,
  type PluginPlan,
  planPlugins,
  UNDECLARED_PERMISSIONS,
  visibleConfig,
} from "@openclaw/plugin-discovery";
import type { PluginFaults, PluginLoaders } from "@openclaw/plugin-loader";
import type { DeclaredHooks, DeclaredServers, VisibleConfig } from "@openclaw/plugin-sdk/services";
import { NetworkClient } from "@openclaw/safety";
import { withFullSessionKeys } from "../api/full-session-keys.js";
import { PluginNotFoundError, PluginRuntimeDisposedError } from "../errors.js";
import type { HookBindings } from "../hooks/bindings.js";
import type { PluginInstance } from "../instances/instance.js";
import type { ChangeEmitter } from "./change-emitter.js";
import type { PluginGeneration, PluginState } from "./generation.js";
import type { Generations } from "./generations.js";
import type { HostPhases } from "./host-phases.js";
import { type LoadDependencies, type LoadedPlugins, loadPlugins } from "./plan-load.js";
import { idsOfPlan, rankAmong, ranksOfPlan } from "./rank.js";
import type { PluginRuntimeOptions } from "./runtime-options.js";
import type { ServiceRunner } from "./service-runner.js";
import { startServicesAside } from "./services.js";

/**
 * Number of reloads after which a restart is advised: the modules of every reload stay in memory
 * (PLUG-050).
 */
const MOST_RELOADS = 200;

/** Result of a reload. */
export interface PluginReload {
  /** The current generation. */
  readonly generation: PluginGeneration;
  /**
   * `loaded`: the new plugin is active. `kept`: it failed, and the old one continues. `failed`: it
   * failed, and there was no old one. `unloaded`: it is disabled or removed.
   */
  readonly outcome: "loaded" | "kept" | "failed" | "unloaded";
  /** Time from the call to the activation of the new generation, in milliseconds. */
  readonly durationMs: number;
  /** Settles when removed plugins are disposed, which waits up to 30 seconds for work in flight. */
  readonly retired: Promise<void>;
}

/** Options of a reload. */
export interface ReloadOptions {
  /** The host's new configuration, used if the reload succeeds. */
  readonly config?: HostConfiguration;
}

/** Dependencies of a loader. */
export interface LoaderDependencies {
  readonly options: PluginRuntimeOptions;
  readonly bindings: HookBindings;
  readonly phases: HostPhases;
  readonly services: ServiceRunner;
  readonly generations: Generations;
  readonly changes: ChangeEmitter;
  /** Attributes faults to the plugins whose code caused them. */
  readonly faults: PluginFaults;
  /** Loaders of the plugins' code. */
  readonly loaders: PluginLoaders;
}

/**
 * Loads plugins in isolation from the active generation, and activates them when they are ready.
 */
export class GenerationLoader {
  readonly #parts: LoaderDependencies;
  readonly #network: NetworkClient;
  readonly #views = new WeakMap<HostConfiguration, VisibleConfig>();
  readonly #ownViews = new WeakMap<HostConfiguration, Map<string, VisibleConfig>>();
  #config: HostConfiguration;
  /** Hooks that the manifests of enabled plugins declare, by the newest plan. */
  #declaredHooks: readonly DeclaredHooks[] = [];
  /** MCP servers of enabled bundles, by the newest plan. */
  #declaredServers: readonly DeclaredServers[] = [];
  #reloads = 0;
  #closed = false;

  constructor(parts: LoaderDependencies) {
    this.#parts = parts;
    this.#network = new NetworkClient({ allowHosts: parts.options.allowHosts });
    this.#config = parts.options.config;
  }

  /** After this a load in progress is undone. */
  close(): void {
    this.#closed = true;
  }

  /** Closes the connections of the plugins' requests, once the plugins have ended. */
  async disconnect(): Promise<void> {
    await this.#network.close();
  }

  /**
   * Input of a plan of the plugins.
   * @param config - the host's configuration
   */
  sources(config = this.#config): PlanSources {
    const { hostServices, inline = [], ...places } = this.#parts.options;
    const plugins = config.plugins ?? {};
    return {
      ...places,
      paths: plugins.load?.paths ?? [],
      plugins,
      inline,
      reservedNames: hostServices?.names?.tools ?? [],
    };
  }

  /**
   * Loads all plugins into a new generation.
   * @param config - the host's new configuration
   */
  async loadAll(config = this.#config): Promise<PluginReload> {
    const began = performance.now();
    const before = this.#parts.generations.states;
    const plan = await planPlugins(this.sources(config));
    this.#note(plan);
    const rankOf = ranksOfPlan(plan);
    const loaded = await this.#load(plan, config, { before, broken: [], rankOf });
    this.#config = config;
    const advice = before.length > 0 ? this.#countReload() : [];
    const states = loaded.states.map((state) => ({ ...state, rank: rankOf(state.planId) }));
    return this.#swap(states, [...loaded.diagnostics, ...advice], "loaded", began);
  }

  /**
   * Reloads one plugin; all others are carried over unchanged. A plugin is one unit: when one of
   * its entries fails, all of them continue unchanged.
   * @param pluginId - its id in its manifest
   * @param config - the host's new configuration
   * @throws PluginNotFoundError
   */
  async loadOne(pluginId: string, config = this.#config): Promise<PluginReload> {
    const began = performance.now();
    const { generations } = this.#parts;
    const isMeant = ({ planId }: PluginState) => planId === pluginId;
    const before = generations.states.filter(isMeant);
    const others = generations.states.filter((state) => !isMeant(state));
    const plan = await planPlugins(this.sources(config));
    this.#note(plan);
    const part = partOf(plan, pluginId);
    if (part.load.length + part.leave.length + before.length === 0) {
      throw new PluginNotFoundError(pluginId, nearestName(pluginId, idsOfPlan(plan)));
    }

    const loaded = await this.#load(part, config, {
      before,
      broken: others.flatMap(({ planId, instance }) => (instance === undefined ? planId : [])),
      rankOf: (planId) => rankAmong(planId, plan, before, others),
    });
    const beside = generations.diagnosticsBeside(pluginId);
    if (loaded.failed && before.some(({ instance }) => instance !== undefined)) {
      await this.#discard(freshInstances(loaded.states, before));
      generations.tell([...beside, ...loaded.diagnostics]);
      return this.#report("kept", began, Promise.resolve());
    }
    this.#config = config;
    const isLoaded = loaded.states.some(({ instance }) => instance !== undefined);
    const advice = isLoaded ? this.#countReload() : [];
    const diagnostics = [...beside, ...loaded.diagnostics, ...advice];
    const outcome = isLoaded ? "loaded" : loaded.failed ? "failed" : "unloaded";
    return this.#swap([...others, ...loaded.states], diagnostics, outcome, began);
  }

  #note(plan: PluginPlan): void {
    const withData = <Declared extends { readonly pluginId: string; readonly rootDir: string }>(
      declared: Declared,
    ) => ({ ...declared, dataDir: this.#dataDir(declared) });
    this.#declaredHooks = declaredHooksOf(plan).map(withData);
    this.#declaredServers = declaredServersOf(plan).map(withData);
  }

  /** Folder for data of a bundle, which outlasts an update. */
  #dataDir({ pluginId, rootDir }: { readonly pluginId: string; readonly rootDir: string }): string {
    const { stateDir } = this.#parts.options;
    if (stateDir === undefined) return join(rootDir, ".data");
    return join(stateDir, "plugin-data", pluginId.replaceAll("/", "__"));
  }

  async #load(
    plan: PluginPlan,
    config: HostConfiguration,
    place: Pick<LoadDependencies, "before" | "broken" | "rankOf">,
  ): Promise<LoadedPlugins> {
    const { generations } = this.#parts;
    // While a load is in progress, its plugins see the new configuration.
    let settled = false;
    const loaded = await loadPlugins(plan, {
      ...place,
      faults: this.#parts.faults,
      loaders: this.#parts.loaders,
      checkFiles: this.#parts.options.checkFiles,
      generation: generations.current.number + 1,
      again: generations.states.length > 0,
      register: this.#registering(config, () => (settled ? this.#config : config)),
      startServices: (instance) => this.#startServices(instance),
    });
    settled = true;
    if (!this.#closed) return loaded;
    await this.#discard(freshInstances(loaded.states, place.before));
    throw new PluginRuntimeDisposedError("load");
  }

  #registering(
    { plugins = {} }: HostConfiguration,
    config: () => HostConfiguration,
  ): LoadDependencies["register"] {
    const { options, bindings, generations, phases } = this.#parts;
    const { hostVersion, hostServices = {}, stateDir, workspaceDir, logger } = options;
    return {
      logger,
      bindings,
      listener: generations.listener,
      permissions: plugins.permissions ?? UNDECLARED_PERMISSIONS,
      onMissingUse: options.onMissingUse,
      registrars: { strict: plugins.strict === true, hasBooted: () => phases.hasBooted },
      host: {
        hostVersion,
        services: withFullSessionKeys(hostServices),
        network: this.#network,
        stateDir,
        workspaceDir,
        isWorkspaceTrusted: () => options.isWorkspaceTrusted?.() ?? true,
        plugins: {
          declaredHooks: () => this.#declaredHooks,
          declaredServers: () => this.#declaredServers,
          onChanged: (listener) => this.#parts.changes.listen(() => listener()),
        },
        visibleConfig: (id, channels) =>
          hostServices.visibleConfig?.(id) ?? this.#viewOf(config(), { pluginId: id, channels }),
      },
    };
  }

  /** The host's current configuration, with every secret redacted. */
  get visibleConfig(): VisibleConfig {
    return this.#view(this.#config);
  }

  #view(config: HostConfiguration): VisibleConfig {
    const view = this.#views.get(config) ?? visibleConfig(config);
    this.#views.set(config, view);
    return view;
  }

  /** A plugin reads its configuration often, and the copy of a large one costs time. */
  #viewOf(config: HostConfiguration, reader: ConfigReader): VisibleConfig {
    const views = this.#ownViews.get(config) ?? new Map<string, VisibleConfig>();
    this.#ownViews.set(config, views);
    const view = views.get(reader.pluginId) ?? visibleConfig(config, reader);
    views.set(reader.pluginId, view);
    return view;
  }

  async #startServices(instance: PluginInstance) {
    const { phases, services, generations } = this.#parts;
    if (!phases.isRunning) return undefined;
    // Of two services with the same id only the first one is registered and started.
    const taken = new Set(
      generations.current.services.flatMap(({ pluginId, service }) =>
        pluginId === instance.id ? [] : service.id,
      ),
    );
    const own = instance.registered("services").filter(({ service }) => !taken.has(service.id));
    return startServicesAside(own, instance, services);
  }

  #swap(
    states: readonly PluginState[],
    diagnostics: readonly PluginDiagnostic[],
    outcome: PluginReload["outcome"],
    began: number,
  ): PluginReload {
    const { generations, phases, changes, options } = this.#parts;
    const ordered = [...states].sort((a, b) => a.rank - b.rank);
    const { joined, left, retired } = generations.swap(ordered, diagnostics);
    const report = this.#report(outcome, began, retired);
    const { number } = report.generation;
    for (const { id } of joined) {
      phases.welcome(id, number).catch((error) => {
        options.logger.error(`gateway_start of plugin "${id}" failed: ${errorMessage(error)}`);
      });
    }
    const loaded = joined.map(({ id }) => id);
    const unloaded = left.map(({ id }) => id).filter((id) => !loaded.includes(id));
    changes.emit({ generation: number, loaded, unloaded });
    return report;
  }

  #report(outcome: PluginReload["outcome"], began: number, retired: Promise<void>): PluginReload {
    const { current: generation } = this.#parts.generations;
    return { generation, outcome, durationMs: performance.now() - began, retired };
  }

  async #discard(instances: readonly PluginInstance[]): Promise<void> {
    for (const instance of instances.toReversed()) {
      await this.#parts.services.stop(instance.registered("services"));
      await instance.end();
    }
  }

  #countReload(): PluginDiagnostic[] {
    this.#reloads += 1;
    if (this.#reloads < MOST_RELOADS) return [];
    return [
      {
        level: "warn",
        code: "restart-advised",
        message: `plugins were reloaded ${this.#reloads} times; the modules of every reload stay in memory`,
        hint: "restart the host when convenient",
      },
    ];
  }
}

/** Returns the plan's decisions about one plugin. */
function partOf({ load, leave, diagnostics }: PluginPlan, pluginId: string): PluginPlan {
  return {
    load: load.filter(({ id }) => id === pluginId),
    leave: leave.filter(({ candidate }) => candidate.id === pluginId),
    diagnostics: diagnostics.filter((diagnostic) => diagnostic.pluginId === pluginId),
  };
}

function freshInstances(
  states: readonly PluginState[],
  before: readonly PluginState[],
): PluginInstance[] {
  const old = new Set(before.map(({ instance }) => instance));
  return states.flatMap(({ instance }) =>
    instance === undefined || old.has(instance) ? [] : [instance],
  );
}
