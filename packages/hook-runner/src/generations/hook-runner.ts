import type { HookDefinitions, HookMap, HookName } from "../define/definition.js";
import type { Interceptor } from "../define/interceptor.js";
import type { OwnerSettings } from "../define/owner.js";
import type { HookRegistration, HookRegistrationInfo } from "../define/registration.js";
import type { HookDispatch, PinnedDispatch } from "../dispatch/dispatch.js";
import type { RunnerCounts } from "../observe/counters.js";
import type { TraceListener, TraceOptions } from "../observe/trace.js";
import type { DrainOptions, DrainReport } from "./drain.js";
import type { HookExplanation } from "./explanation.js";
import { Runner } from "./runner.js";
import type { HookRunnerOptions, TransactionOptions } from "./runner-options.js";
import type { Undo } from "./undo.js";

/** A hook engine for one hook map. */
export interface HookRunner<M extends HookMap<M>> extends HookDispatch<M> {
  /**
   * Registers a handler; it runs from the next dispatch.
   *
   * @throws UnknownHookError, HookOptionError; nothing is registered then
   */
  register<K extends HookName<M>>(registration: HookRegistration<M, K>): Undo;

  /**
   * Makes all changes of `fn` visible to dispatches together, or none if it throws (HOOK-041). `fn`
   * must be synchronous. A transaction inside another is part of it.
   */
  transaction<T>(fn: () => T, options?: TransactionOptions): T;

  /** Pins the current generation's handlers until released, regardless of reloads. */
  pin(): PinnedDispatch<M>;

  /** Sets config, operator timeouts, logger and registration phase of one owner. */
  owner(owner: string, settings: OwnerSettings): void;

  /**
   * Resolves when no dispatch in flight uses a handler of the owner, or after `deadlineMs` with the
   * pending calls, whose signals then abort (HOOK-042).
   */
  drain(owner: string, deadlineMs: number, options?: DrainOptions): Promise<DrainReport>;

  /**
   * Returns the handlers that would run, in order, and the reason against each other one
   * (HOOK-051).
   */
  explain<K extends HookName<M>>(
    name: K,
    context?: Partial<M[K]["context"]>,
    event?: Partial<M[K]["event"]>,
  ): HookExplanation;

  counters(): RunnerCounts<HookName<M>>;

  /** Every registration of the current generation, active or disabled. */
  registrations(): readonly HookRegistrationInfo[];

  /** Notifies a listener of every dispatch (HOOK-047). Costs nothing without listeners. */
  trace(listener: TraceListener, options?: TraceOptions): Undo;

  /** Wraps every handler of an owner (HOOK-049). */
  intercept(owner: string, interceptor: Interceptor): Undo;

  /** Evaluates the gate again for every registration (HOOK-044). */
  rebuild(): void;
}

/**
 * Creates a runner for the hook map `M` from one definition per hook.
 *
 * @throws HookDefinitionError when a definition contradicts itself
 */
export function createHookRunner<M extends HookMap<M>>(
  definitions: HookDefinitions<M>,
  options: HookRunnerOptions<HookName<M>> = {},
): HookRunner<M> {
  // Inside, names and fields are data that is checked when it comes in; the map's types hold at this
  // seam, where every signature is that of the class with `M` in place of any record.
  return new Runner(definitions, options) as unknown as HookRunner<M>;
}
