import type { HookDispatch, HookRunner, PinnedDispatch } from "@openclaw/hook-runner";
import type { HookMap } from "@openclaw/plugin-sdk";
import type { PluginDiagnostic } from "./diagnostic.js";
import { PluginRuntimeDisposedError } from "./errors.js";
import { assembleGeneration, type PluginGeneration, type PluginState } from "./generation.js";
import { GenerationPins } from "./generation-pins.js";
import { HookBindings } from "./hook-bindings.js";
import { HookEngine } from "./hook-engine.js";
import { loadPlugins } from "./load-plugins.js";
import type { InstanceListener, PluginInstance } from "./plugin-instance.js";
import { describePlan, type PluginOverview } from "./plugin-overview.js";
import { type PlanSources, planPlugins } from "./plugin-plan.js";
import { REGISTRY_KINDS, type RegistryKind } from "./registry.js";
import type { PluginRuntimeOptions } from "./runtime-options.js";
import { visibleConfig } from "./visible-config.js";

/** Time work on an old generation has before its plugins are taken apart, in milliseconds (PLUG-050). */
const RETIREMENT_MS = 30_000;

/** What a turn holds: the generation it began with, and that generation's hooks (TURN-012). */
export interface PluginPin {
  readonly generation: PluginGeneration;
  readonly hooks: PinnedDispatch<HookMap>;
  /** Lets the generation go; calling it again does nothing. */
  release(): void;
}

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
  /**
   * Loads all plugins into a new generation: discover, read manifests, decide, import, register. A
   * plugin that fails leaves nothing behind, and the others go on; one that was loaded before and
   * fails now keeps serving as it was (PLUG-049). Calls while a load is under way share it.
   */
  load(): Promise<PluginGeneration>;
  /** What `load` would find and decide; no code of any plugin runs (PLUG-059). */
  discover(): Promise<PluginOverview>;
  /** Holds the newest generation until it is released. */
  pin(): PluginPin;
  /** Ends all plugins; the runtime can load none afterwards. */
  dispose(): Promise<void>;
}

/**
 * Makes a plugin runtime. Nothing is read and nothing loaded before `load` or `discover`.
 * @param options - configuration, places and services of the host
 */
export function createPluginRuntime(options: PluginRuntimeOptions): PluginRuntime {
  return new Runtime(options);
}

class Runtime implements PluginRuntime {
  readonly #options: PluginRuntimeOptions;
  readonly #engine: HookEngine;
  readonly #bindings: HookBindings;
  readonly #pins = new GenerationPins();
  #number = 0;
  #states: readonly PluginState[] = [];
  /** Plugins of older generations that somebody still holds. */
  readonly #leaving = new Set<PluginInstance>();
  /** About the load as a whole, and about handlers since then. */
  #diagnostics: PluginDiagnostic[] = [];
  #snapshot: PluginGeneration | undefined;
  #loading: Promise<PluginGeneration> | undefined;
  #disposed = false;

  readonly #listener: InstanceListener = {
    registeredLate: (instance, { kind, item }) => {
      if (kind === "hooks") this.#bindings.activate(item);
      instance.diagnose(tellLate(instance, kind));
    },
    unregistered: (_instance, { kind, item }) => {
      if (kind === "hooks") this.#bindings.deactivate(item);
      this.#snapshot = undefined;
    },
    diagnosed: () => {
      this.#snapshot = undefined;
    },
  };

  constructor(options: PluginRuntimeOptions) {
    this.#options = options;
    this.#engine = new HookEngine(options, (diagnostic) => this.#noteFromEngine(diagnostic));
    this.#bindings = new HookBindings(this.#engine);
  }

  get hooks(): HookDispatch<HookMap> {
    return this.#engine.runner;
  }

  get inspection(): HookInspection {
    return this.#engine.runner;
  }

  get current(): PluginGeneration {
    this.#snapshot ??= assembleGeneration({
      number: this.#number,
      states: this.#states,
      diagnostics: this.#diagnostics,
      reservedNames: this.#options.hostServices?.toolNames ?? [],
    });
    return this.#snapshot;
  }

  async discover(): Promise<PluginOverview> {
    return describePlan(await planPlugins(this.#sources()));
  }

  load(): Promise<PluginGeneration> {
    if (this.#disposed) return Promise.reject(new PluginRuntimeDisposedError("load"));
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  pin(): PluginPin {
    if (this.#disposed) throw new PluginRuntimeDisposedError("pin");
    const generation = this.current;
    const hooks = this.#engine.runner.pin();
    const letGo = this.#pins.hold(generation.number);
    return {
      generation,
      hooks,
      release: () => {
        hooks.release();
        letGo();
      },
    };
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await this.#loading?.catch(() => undefined);
    const instances = [...this.#leaving, ...instancesOf(this.#states)];
    this.#states = [];
    this.#snapshot = undefined;
    await endAll(instances);
  }

  async #load(): Promise<PluginGeneration> {
    const { logger, hostServices, config } = this.#options;
    const view = visibleConfig(config);
    const plan = await planPlugins(this.#sources());
    const { states, diagnostics } = await loadPlugins(plan, {
      generation: this.#number + 1,
      before: this.#states,
      register: {
        logger,
        bindings: this.#bindings,
        listener: this.#listener,
        strict: config.plugins?.strict === true,
        visibleConfig: (id) => hostServices?.visibleConfig?.(id) ?? view,
      },
    });
    if (this.#disposed) {
      await endAll(instancesOf(states));
      throw new PluginRuntimeDisposedError("load");
    }
    this.#swap(states, diagnostics);
    return this.current;
  }

  /** The step at which the new generation counts, for hooks and registry at once. */
  #swap(states: readonly PluginState[], diagnostics: readonly PluginDiagnostic[]): void {
    const staying = new Set(instancesOf(states));
    const leaving = instancesOf(this.#states).filter((instance) => !staying.has(instance));
    const previous = this.#number;
    this.#diagnostics = [...diagnostics];
    this.#engine.replace(() => {
      for (const instance of leaving) this.#deactivate(instance);
      for (const instance of staying) this.#activate(instance);
    });
    this.#number += 1;
    this.#states = states;
    this.#snapshot = undefined;
    for (const instance of staying) instance.settle();
    void this.#retire(leaving, previous);
  }

  async #retire(leaving: readonly PluginInstance[], generation: number): Promise<void> {
    for (const instance of leaving) this.#leaving.add(instance);
    await this.#pins.released(generation, RETIREMENT_MS);
    await endAll(leaving);
    for (const instance of leaving) this.#leaving.delete(instance);
  }

  #activate(instance: PluginInstance): void {
    this.#engine.introduce(instance);
    for (const { kind, item } of instance.registrations) {
      if (kind === "hooks") this.#bindings.activate(item);
    }
  }

  #deactivate(instance: PluginInstance): void {
    this.#engine.forget(instance);
    for (const { kind, item } of instance.registrations) {
      if (kind === "hooks") this.#bindings.deactivate(item);
    }
  }

  #noteFromEngine(diagnostic: PluginDiagnostic): void {
    this.#diagnostics.push(diagnostic);
    this.#snapshot = undefined;
  }

  #sources(): PlanSources {
    const { config, hostServices, inline = [], ...places } = this.#options;
    const plugins = config.plugins ?? {};
    return {
      ...places,
      paths: plugins.load?.paths ?? [],
      plugins,
      inline,
      reservedNames: hostServices?.toolNames ?? [],
    };
  }
}

function instancesOf(states: readonly PluginState[]): PluginInstance[] {
  return states.flatMap(({ instance }) => instance ?? []);
}

async function endAll(instances: readonly PluginInstance[]): Promise<void> {
  for (const instance of instances.toReversed()) await instance.dispose();
}

function tellLate({ id }: PluginInstance, kind: RegistryKind) {
  return {
    level: "warn",
    code: "late-registration",
    message: `plugin "${id}" registered a ${REGISTRY_KINDS[kind].label} after its register had settled; it takes effect from now on`,
    hint: "await in register whatever the registration depends on",
  } as const;
}
