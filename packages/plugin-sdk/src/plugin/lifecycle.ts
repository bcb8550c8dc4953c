import type { CheckedHandler, HookAnswers } from "../hooks/handler.js";
import type { LifecycleAlias, LifecyclePhase, PhaseHook } from "../hooks/lifecycle-phases.js";
import type { HookOptions } from "../hooks/options.js";
import type { RuntimeLifecycle } from "./runtime-lifecycle.js";
import type { Unregister } from "./unregister.js";

/** Lifecycle side of the `api`. */
export interface PluginLifecycle {
  /** Aborts when the plugin's generation ends (LIFE-034). */
  readonly signal: AbortSignal;
  /**
   * Runs a callback when the plugin's generation ends: last registered first, each awaited for up
   * to 5 seconds, a failure logged (LIFE-034).
   * @param callback - releases what the plugin holds; a promise is awaited, any other answer ignored
   */
  onDispose(callback: () => unknown): void;
  /**
   * Registers what is to be let go when the plugin ends, and when a session of its does (LIFE-035).
   * @param lifecycle - its callbacks are told why
   */
  registerRuntimeLifecycle(lifecycle: RuntimeLifecycle): void;
  /**
   * Registers a handler by lifecycle phase or alias; the same registry as `api.on` (LIFE-029).
   * @param phase - for example `tool.pre` or `preToolExecution`
   * @param handler - typed as the mapped hook's handler
   * @param options - the options of `api.on`
   */
  on<Phase extends LifecyclePhase | LifecycleAlias, Answer extends HookAnswers[PhaseHook<Phase>]>(
    phase: Phase,
    handler: CheckedHandler<PhaseHook<Phase>, Answer>,
    options?: HookOptions<PhaseHook<Phase>>,
  ): Unregister;
}
