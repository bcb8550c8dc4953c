import type { HookEntryPoint } from "../hooks/name.js";
import type { RegistrationOrigin } from "./origin.js";

/** A handler of any hook, as a registry holds it. */
export type AnyHandler = (event: never, context: never) => unknown;

/** One call of `api.on`, `api.lifecycle.on` or `api.registerHook` (LIFE-045). */
export interface PluginHookRegistration extends RegistrationOrigin {
  /** Names of the hooks; those of a phase or alias when `api.lifecycle.on` was called. */
  readonly events: readonly string[];
  readonly handler: AnyHandler;
  readonly priority?: number;
  /** The method that was called. */
  readonly entryPoint: HookEntryPoint;
  /** The phase or alias it was registered by. */
  readonly alias?: string;
  /** Shown in traces and listings. */
  readonly name?: string;
  readonly description?: string;
  /** False for a handler that is listed only, `register: false`. */
  readonly active: boolean;
}
