import type { PluginHookRegistration } from "../registration/hook.js";
import type { PluginTrustedPolicyRegistration } from "../registration/trusted-policy.js";
import type { HookBinding } from "./binding.js";
import type { HookEngine } from "./engine.js";

/** What the registry lists that the engine runs. */
export type HookedRegistration = PluginHookRegistration | PluginTrustedPolicyRegistration;

/**
 * Ties the registry's hook registrations to the engine: what is staged while a plugin registers is
 * handed to the engine when the plugin counts, and taken back when it does not any more.
 */
export class HookBindings {
  readonly #staged = new WeakMap<HookedRegistration, readonly HookBinding[]>();
  readonly #handles = new Map<HookedRegistration, readonly (() => void)[]>();

  constructor(private readonly engine: HookEngine) {}

  /**
   * Refuses options of a wrong type or range at the moment they are given (HOOK-004).
   * @param binding - not staged yet
   * @throws HookOptionError
   */
  check(binding: HookBinding): void {
    this.engine.check(binding);
  }

  /**
   * Keeps the handlers of a registration for the time it counts.
   * @param registration - as the registry lists it
   * @param bindings - one for each of its hooks
   */
  stage(registration: HookedRegistration, bindings: readonly HookBinding[]): void {
    this.#staged.set(registration, bindings);
  }

  /**
   * Hands the handlers of a registration to the engine.
   * @param registration - staged before
   * @param order - place among handlers of equal priority
   */
  activate(registration: HookedRegistration, order: number): void {
    if (this.#handles.has(registration)) return;
    const handles: (() => void)[] = [];
    this.#handles.set(registration, handles);
    for (const binding of this.#staged.get(registration) ?? []) {
      if (binding.active) handles.push(this.engine.register(binding, order));
    }
  }

  /**
   * Takes the handlers of a registration back from the engine.
   * @param registration - active or not
   */
  deactivate(registration: HookedRegistration): void {
    const handles = this.#handles.get(registration) ?? [];
    this.#handles.delete(registration);
    for (const takeBack of handles) takeBack();
  }
}
