import type { PluginHookRegistration } from "../registration/hook.js";
import type { PluginTrustedPolicyRegistration } from "../registration/trusted-policy.js";
import type { HookBinding } from "./binding.js";
import type { HookEngine } from "./engine.js";

/** Registrations of handlers in the registry, which the engine runs. */
export type HookedRegistration = PluginHookRegistration | PluginTrustedPolicyRegistration;

/**
 * Connects the registry's hook registrations to the engine: handlers that are staged while a plugin
 * registers are passed to the engine when the plugin becomes active, and removed when it is no
 * longer active.
 */
export class HookBindings {
  readonly #staged = new WeakMap<HookedRegistration, readonly HookBinding[]>();
  readonly #handles = new Map<HookedRegistration, readonly (() => void)[]>();

  constructor(private readonly engine: HookEngine) {}

  /**
   * Rejects options of a wrong type or range at registration (HOOK-004).
   * @param binding - not staged yet
   * @throws HookOptionError
   */
  check(binding: HookBinding): void {
    this.engine.check(binding);
  }

  /**
   * Keeps the handlers of a registration while it is active.
   * @param registration - as the registry lists it
   * @param bindings - one for each of its hooks
   */
  stage(registration: HookedRegistration, bindings: readonly HookBinding[]): void {
    this.#staged.set(registration, bindings);
  }

  /**
   * Passes the handlers of a registration to the engine.
   * @param registration - staged before
   * @param order - position among handlers of equal priority
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
   * Removes the handlers of a registration from the engine.
   * @param registration - active or not
   */
  deactivate(registration: HookedRegistration): void {
    const handles = this.#handles.get(registration) ?? [];
    this.#handles.delete(registration);
    for (const takeBack of handles) takeBack();
  }
}
