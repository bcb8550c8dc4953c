import type { PinnedDispatch } from "@openclaw/hook-runner";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { CleanupReason } from "@openclaw/plugin-sdk/lifecycle";
import type { PluginDiagnostic } from "../discovery/diagnostic.js";
import type { HookBindings, HookedRegistration } from "../hooks/bindings.js";
import type { HookEngine } from "../hooks/engine.js";
import type { InstanceListener, PluginInstance } from "../instances/instance.js";
import { REGISTRY_KINDS, type RegistryKind } from "../registration/registry.js";
import type { PluginServiceRegistration } from "../registration/service.js";
import {
  assembleGeneration,
  type PluginGeneration,
  type PluginState,
  type ReservedNames,
} from "./generation.js";
import { GenerationPins } from "./pins.js";
import type { ServiceRunner } from "./service-runner.js";

/** Time work on an old generation has before its plugins are taken apart, in milliseconds (PLUG-050). */
const RETIREMENT_MS = 30_000;

/** Handlers registered late run after all others of their priority, in the order they came. */
const LAST = Number.POSITIVE_INFINITY;

/** What a turn holds: the generation it began with, and that generation's hooks (TURN-012). */
export interface PluginPin {
  readonly generation: PluginGeneration;
  readonly hooks: PinnedDispatch<HookMap>;
  /** Whether its plugins are all there; those that left are taken apart after 30 s whoever holds them. */
  isWhole(): boolean;
  /** Lets the generation go; calling it again does nothing. */
  release(): void;
}

/** What generations stand on. */
export interface GenerationSurroundings {
  readonly engine: HookEngine;
  readonly bindings: HookBindings;
  readonly services: ServiceRunner;
  readonly reservedNames: ReservedNames;
  /** A plugin was turned off and taken apart. */
  disabled(pluginId: string): Promise<void>;
  /** A service was registered late: in a running host it begins at once. */
  startLate(instance: PluginInstance, service: PluginServiceRegistration): void;
}

/** What changed with a new generation. */
export interface GenerationSwap {
  readonly joined: readonly PluginInstance[];
  readonly left: readonly PluginInstance[];
  /** Settles when those that left were taken apart. */
  readonly retired: Promise<void>;
}

/** The generation that counts, those that are still worked with, and the step from one to the next. */
export class Generations {
  readonly #around: GenerationSurroundings;
  readonly #pins = new GenerationPins();
  /** Plugins that are taken apart. */
  readonly #gone = new WeakSet<PluginInstance>();
  /** Plugins of older generations that somebody still holds. */
  readonly #leaving = new Set<PluginInstance>();
  /** Number of the generation in which a plugin began to count. */
  readonly #since = new WeakMap<PluginInstance, number>();
  #number = 0;
  #states: readonly PluginState[] = [];
  /** About the plugins as a whole, and about handlers since they were loaded. */
  #diagnostics: readonly PluginDiagnostic[] = [];
  #snapshot: PluginGeneration | undefined;

  /** What the plugins report. */
  readonly listener: InstanceListener = {
    registeredLate: (instance, { kind, item }) => {
      if (kind === "hooks" || kind === "trustedToolPolicies") {
        this.#around.bindings.activate(item, LAST);
      }
      instance.diagnose(tellLate(instance, kind));
      if (kind === "services") this.#around.startLate(instance, item);
    },
    unregistered: (_instance, { kind, item }) => {
      if (kind === "hooks" || kind === "trustedToolPolicies") {
        this.#around.bindings.deactivate(item);
      }
      if (kind === "services") void this.#around.services.stop([item]);
      this.#snapshot = undefined;
    },
    diagnosed: () => {
      this.#snapshot = undefined;
    },
  };

  constructor(surroundings: GenerationSurroundings) {
    this.#around = surroundings;
  }

  /** The generation that counts; number 0, without plugins, before the first. */
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

  /** The plugins that count. */
  get instances(): readonly PluginInstance[] {
    return instancesOf(this.#states);
  }

  /**
   * Adds a diagnostic to the generation that counts.
   * @param diagnostic - about its plugins
   */
  note(diagnostic: PluginDiagnostic): void {
    this.tell([...this.#diagnostics, diagnostic]);
  }

  /**
   * Replaces what is said of the plugins as a whole.
   * @param diagnostics - beside those that each plugin has itself
   */
  tell(diagnostics: readonly PluginDiagnostic[]): void {
    this.#diagnostics = diagnostics;
    this.#snapshot = undefined;
  }

  /**
   * What was said of the plugins as a whole, without what is about one of them.
   * @param planId - the one, as its manifest names it
   */
  diagnosticsBeside(planId: string): PluginDiagnostic[] {
    return this.#diagnostics.filter(
      ({ pluginId, code }) => pluginId !== planId && code !== "restart-advised",
    );
  }

  /** Holds the generation that counts until it is released. */
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
   * The step at which a new generation counts, for hooks and registry at once. Plugins that stay are not
   * touched; those that leave are taken apart when nobody works with them any more, or after 30 s.
   * @param states - the plugins of the new generation
   * @param diagnostics - about them as a whole
   */
  swap(states: readonly PluginState[], diagnostics: readonly PluginDiagnostic[]): GenerationSwap {
    const before = new Set(this.instances);
    const after = new Set(instancesOf(states));
    const leaving = [...before].filter((instance) => !after.has(instance));
    const joined = [...after].filter((instance) => !before.has(instance));
    // The engine may add to them while it takes the handlers over.
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

  /** Nothing counts any more; the plugins are left to the caller. */
  clear(): readonly PluginInstance[] {
    const all = [...this.#leaving, ...this.instances];
    this.#states = [];
    this.#snapshot = undefined;
    return all;
  }

  async #retire(instance: PluginInstance, upTo: number, reason: CleanupReason): Promise<void> {
    const { engine, services } = this.#around;
    this.#leaving.add(instance);
    const from = this.#since.get(instance) ?? 0;
    await Promise.all([
      this.#pins.released(from, upTo, RETIREMENT_MS),
      engine.drained(instance, RETIREMENT_MS),
    ]);
    this.#gone.add(instance);
    await services.stop(instance.registered("services"));
    await instance.end(reason);
    this.#leaving.delete(instance);
    // One that was turned on again meanwhile has begun to keep things anew.
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
