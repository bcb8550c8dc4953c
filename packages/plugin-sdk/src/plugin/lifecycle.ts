import type { CheckedHandler, HookAnswers } from "../hooks/handler.js";
import type { LifecycleAlias, LifecyclePhase, PhaseHook } from "../hooks/lifecycle-phases.js";
import type { HookOptions } from "../hooks/options.js";
import type { RuntimeLifecycle } from "./runtime-lifecycle.js";
import type { Unregister } from "./unregister.js";

/** Lifecycle methods of the `api`. */
export interface PluginLifecycle {
  /** Aborts when the plugin's generation ends (LIFE-034). */
  readonly signal: AbortSignal;
  /**
   * Registers a callback for the end of the plugin's generation. Callbacks run in reverse order of registration; each
   * is awaited for up to 5 seconds, and a failure is logged (LIFE-034).
   * @param callback - releases resources; a returned promise is awaited, any other value ignored
   */
  onDispose(callback: () => unknown): void;
  /**
   * Registers cleanup for the end of the plugin and of each session (LIFE-035).
   * @param lifecycle - callbacks, which receive the reason
   */
  registerRuntimeLifecycle(lifecycle: RuntimeLifecycle): void;
  /**
   * Changes the hook handlers of a running plugin as one change: a dispatch sees those before it or those after it.
   * Handlers that are registered later without it are reported.
   * @param change - removes and adds handlers; synchronous
   */
  update(change: () => void): void;
  /**
   * Registers a handler by lifecycle phase or alias; the same registry as `api.on` (LIFE-029).
   * @param phase - for example `tool.pre` or `preToolExecution`
   * @param handler - handler of the corresponding hook
   * @param options - the options of `api.on`
   */
  on<Phase extends LifecyclePhase | LifecycleAlias, Answer extends HookAnswers[PhaseHook<Phase>]>(
    phase: Phase,
    handler: CheckedHandler<PhaseHook<Phase>, Answer>,
    options?: HookOptions<PhaseHook<Phase>>,
  ): Unregister;
}
