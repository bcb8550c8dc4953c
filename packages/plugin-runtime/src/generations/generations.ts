import type { PinnedDispatch } from "@openclaw/hook-runner";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { PluginFaults } from "@openclaw/plugin-loader";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { CleanupReason } from "@openclaw/plugin-sdk/lifecycle";
import type { HookBindings, HookedRegistration } from "../hooks/bindings.js";
import type { HookEngine } from "../hooks/engine.js";
import type { InstanceListener, PluginInstance } from "../instances/instance.js";
import { REGISTRY_KINDS } from "../registration/registry.js";
import type { RegistryKind } from "../registration/registry-kinds.js";
import type { PluginServiceRegistration } from "../registration/service.js";
import {
  assembleGeneration,
  type PluginGeneration,
  type PluginState,
  type ReservedNames,
} from "./generation.js";
import { GenerationPins } from "./pins.js";
import type { ServiceRunner } from "./service-runner.js";

/**
 * Time that work on an old generation has before its plugins are disposed, in milliseconds
 * (PLUG-050).
 */
const RETIREMENT_MS = 30_000;

/**
 * Handlers registered late run after all others of their priority, in the order of registration.
 */
const LAST = Number.POSITIVE_INFINITY;

/** The generation that a turn began with, and that generation's hooks (TURN-012). */
export interface PluginPin {
  readonly generation: PluginGeneration;
  readonly hooks: PinnedDispatch<HookMap>;
  /**
   * True while all its plugins exist; removed plugins are disposed after 30 s even while in use.
   */
  isWhole(): boolean;
  /** Releases the generation; further calls have no effect. */
  release(): void;
}

/** Dependencies of the generations. */
export interface GenerationDependencies {
  readonly engine: HookEngine;
  readonly bindings: HookBindings;
  readonly services: ServiceRunner;
  readonly reservedNames: ReservedNames;
  /** Attributes faults to the plugins whose code caused them. */
  readonly faults: PluginFaults;
  /** Called when a plugin was disabled and disposed. */
  disabled(pluginId: string): Promise<void>;
  /** Called when a service was registered late: in a running host it starts at once. */
  startLate(instance: PluginInstance, service: PluginServiceRegistration): void;
  /** Called when a running plugin registered a channel, or removed one. */
  channelsChanged(): void;
}

/** Changes of a new generation. */
export interface GenerationSwap {
  readonly joined: readonly PluginInstance[];
  readonly left: readonly PluginInstance[];
  /** Settles when the removed plugins are disposed. */
  readonly retired: Promise<void>;
}

/** Manages the current generation, older generations still in use, and the switch to the next. */
export class Generations {
  readonly #around: GenerationDependencies;
  readonly #pins = new GenerationPins();
  /** Plugins being disposed. */
  readonly #gone = new WeakSet<PluginInstance>();
  /** Plugins of older generations that are still in use. */
  readonly #leaving = new Set<PluginInstance>();
  /** Number of the generation in which a plugin became active. */
  readonly #since = new WeakMap<PluginInstance, number>();
  #number = 0;
  #states: readonly PluginState[] = [];
  /** Diagnostics about the plugins as a whole, and about handlers since they were loaded. */
  #diagnostics: readonly PluginDiagnostic[] = [];
  #snapshot: PluginGeneration | undefined;

  /** Callbacks for the reports of plugins. */
  readonly listener: InstanceListener = {
    registeredLate: (instance, { kind, item }) => {
      if (kind === "hooks" || kind === "trustedToolPolicies") {
        this.#around.bindings.activate(item, LAST);
      }
      this.#snapshot = undefined;
      if (!instance.isUpdating) instance.diagnose(tellLate(instance, kind));
      if (kind === "services") this.#around.startLate(instance, item);
      if (kind === "channels") this.#around.channelsChanged();
    },
    unregistered: (instance, { kind, item }) => {
      if (kind === "hooks" || kind === "trustedToolPolicies") {
        this.#around.bindings.deactivate(item);
      }
      if (kind === "services") void this.#around.services.stop([item]);
      this.#snapshot = undefined;
      if (kind === "channels" && instance.isLate) this.#around.channelsChanged();
    },
    diagnosed: () => {
      this.#snapshot = undefined;
    },
  };

  constructor(dependencies: GenerationDependencies) {
    this.#around = dependencies;
  }

  /** The current generation; number 0, without plugins, before the first. */
  get current(): PluginGeneration {
    this.#snapshot ??= assembleGeneration({
      number: this.#number,
      states: this.#states,
      diagnostics: this.#diagnostics,
      reservedNames: this.#around.reservedNames,
    });
    return this.#snapshot;
  }

  get states(): readonly PluginState[] {
    return this.#states;
  }

  /** The plugins of the current generation. */
  get instances(): readonly PluginInstance[] {
    return instancesOf(this.#states);
  }

  /**
   * Adds a diagnostic to the current generation.
   * @param diagnostic - about its plugins
   */
  note(diagnostic: PluginDiagnostic): void {
    this.tell([...this.#diagnostics, diagnostic]);
  }

  /**
   * Replaces the diagnostics about the plugins as a whole.
   * @param diagnostics - in addition to those of each plugin
   */
  tell(diagnostics: readonly PluginDiagnostic[]): void {
    this.#diagnostics = diagnostics;
    this.#snapshot = undefined;
  }

  /**
   * Returns the diagnostics about the plugins as a whole, without those about one of them.
   * @param planId - that plugin, as its manifest names it
   */
  diagnosticsBeside(planId: string): PluginDiagnostic[] {
    return this.#diagnostics.filter(
      ({ pluginId, code }) => pluginId !== planId && code !== "restart-advised",
    );
  }

  /** Pins the current generation until it is released. */
  pin(): PluginPin {
    const generation = this.current;
    const hooks = this.#around.engine.runner.pin();
    const letGo = this.#pins.hold(generation.number);
    const { instances } = this;
    return {
      generation,
      hooks,
      isWhole: () => instances.every((instance) => !this.#gone.has(instance)),
      release: () => {
        hooks.release();
        letGo();
      },
    };
  }

  /**
   * Activates a new generation, for hooks and registry at once. Unchanged plugins are kept; removed
   * plugins are disposed once unused, or after 30 s.
   * @param states - the plugins of the new generation
   * @param diagnostics - diagnostics about the plugins as a whole
   */
  swap(states: readonly PluginState[], diagnostics: readonly PluginDiagnostic[]): GenerationSwap {
    const before = new Set(this.instances);
    const after = new Set(instancesOf(states));
    const leaving = [...before].filter((instance) => !after.has(instance));
    const joined = [...after].filter((instance) => !before.has(instance));
    // The engine may add diagnostics while it adds the handlers.
    this.#diagnostics = diagnostics;
    this.#around.engine.replace(() => {
      for (const instance of leaving) this.#deactivate(instance);
      for (const { instance, rank } of states) {
        if (instance !== undefined && !before.has(instance)) this.#activate(instance, rank);
      }
    });
    const previous = this.#number;
    this.#number += 1;
    this.#states = states;
    this.#snapshot = undefined;
    for (const instance of joined) instance.settle();
    const replaced = new Set(states.flatMap(({ facts, instance }) => (instance ? facts.id : [])));
    const retired = Promise.all(
      leaving.map((instance) =>
        this.#retire(instance, previous, replaced.has(instance.id) ? "restart" : "disable"),
      ),
    );
    return { joined, left: leaving, retired: retired.then(() => undefined) };
  }

  /** Ends the current generation; the caller disposes the plugins. */
  clear(): readonly PluginInstance[] {
    const all = [...this.#leaving, ...this.instances];
    this.#states = [];
    this.#snapshot = undefined;
    return all;
  }

  async #retire(instance: PluginInstance, upTo: number, reason: CleanupReason): Promise<void> {
    const { engine, services, faults } = this.#around;
    this.#leaving.add(instance);
    const from = this.#since.get(instance) ?? 0;
    await Promise.all([
      this.#pins.released(from, upTo, RETIREMENT_MS),
      engine.drained(instance, RETIREMENT_MS),
    ]);
    this.#gone.add(instance);
    await services.stop(instance.registered("services"));
    await faults.scope(instance.id).run(() => instance.end(reason));
    this.#leaving.delete(instance);
    // A plugin that was enabled again meanwhile may have stored new data.
    const isBack = this.instances.some(({ id }) => id === instance.id);
    if (reason === "disable" && !isBack) await this.#around.disabled(instance.id);
  }

  #activate(instance: PluginInstance, rank: number): void {
    this.#since.set(instance, this.#number + 1);
    this.#around.engine.introduce(instance);
    for (const item of hookedBy(instance)) this.#around.bindings.activate(item, rank);
  }

  #deactivate(instance: PluginInstance): void {
    this.#around.engine.forget(instance);
    for (const item of hookedBy(instance)) this.#around.bindings.deactivate(item);
  }
}

function instancesOf(states: readonly PluginState[]): PluginInstance[] {
  return states.flatMap(({ instance }) => instance ?? []);
}

function hookedBy(instance: PluginInstance): HookedRegistration[] {
  return [...instance.registered("hooks"), ...instance.registered("trustedToolPolicies")];
}

function tellLate({ id }: PluginInstance, kind: RegistryKind) {
  return {
    level: "warn",
    code: "late-registration",
    message: `plugin "${id}" registered a ${REGISTRY_KINDS[kind].label} after its register had settled; it takes effect from now on`,
    hint: "await in register whatever the registration depends on",
  } as const;
}
