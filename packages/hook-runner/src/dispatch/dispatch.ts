import type { HookMap, HookName, HookNameOf, ResultOf } from "../define/definition.js";
import type { HookStage, RegistrationIdentity } from "../define/registration.js";
import type { PluginHookExecutionError } from "../errors.js";
import type { ObserveWait } from "./parallel-run.js";

export interface DispatchOptions {
  /** Aborts the dispatch: it ends at once with `HOOK_ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Only the handlers of this stage. */
  readonly stage?: HookStage | undefined;
  /** Only the handlers of this owner. */
  readonly owner?: string | undefined;
}

export interface ObserveOptions extends DispatchOptions {
  /** `fail-closed`: wait only for handlers that can fail the dispatch. Default `all`. */
  readonly wait?: ObserveWait | undefined;
}

/** One handler's contribution to a result. */
export interface Contribution<R> {
  readonly registration: RegistrationIdentity;
  /** Its result as the hook read it, before merging. */
  readonly result: Partial<R>;
  /** The note of a `NotedResult`. */
  readonly note?: unknown;
}

/** A result, and its origin. */
export interface DispatchDetails<R> {
  readonly result: R | undefined;
  /** `terminal` when a handler ended the dispatch, `denied` when the failure of a handler did. */
  readonly outcome: "completed" | "terminal" | "denied";
  /** The handler that ended the dispatch, by its result or by its failure. */
  readonly decidedBy?: RegistrationIdentity;
  /** The failure that caused the denial. */
  readonly failure?: PluginHookExecutionError;
  /** The handlers that were called, in order. */
  readonly called: readonly RegistrationIdentity[];
  /** Contributions of every handler with a result, in the order they ran. */
  readonly contributions: readonly Contribution<R>[];
}

type MaybePromise<T> = T | Promise<T>;

/**
 * Dispatches hooks by kind; a name of another kind does not compile. When all handlers return
 * synchronously, the result is synchronous, so callers simply `await`.
 *
 * @throws UnknownHookError, HookUsageError for a name or kind that the compiler did not check
 */
export interface HookDispatch<M extends HookMap<M>> {
  /** Settles when every handler has, or met its deadline. Rejects with PluginHookExecutionError. */
  observe<K extends HookNameOf<M, "observe">>(
    name: K,
    event: M[K]["event"],
    context: M[K]["context"],
    options?: ObserveOptions,
  ): Promise<void>;

  /** The merged result, `undefined` if no handler had one. Rejects with PluginHookExecutionError. */
  rewrite<K extends HookNameOf<M, "rewrite">>(
    name: K,
    event: M[K]["event"],
    context: M[K]["context"],
    options?: DispatchOptions,
  ): MaybePromise<ResultOf<M[K]> | undefined>;

  /** Like `rewrite`; a denial caused by a failure is also a result. */
  decide<K extends HookNameOf<M, "decide">>(
    name: K,
    event: M[K]["event"],
    context: M[K]["context"],
    options?: DispatchOptions,
  ): MaybePromise<ResultOf<M[K]> | undefined>;

  /** The result of the handler that claimed, `undefined` if none did. */
  claim<K extends HookNameOf<M, "claim">>(
    name: K,
    event: M[K]["event"],
    context: M[K]["context"],
    options?: DispatchOptions,
  ): MaybePromise<ResultOf<M[K]> | undefined>;

  /** @throws PluginHookExecutionError when a handler fails closed and the hook has no denial */
  sync<K extends HookNameOf<M, "sync">>(
    name: K,
    event: M[K]["event"],
    context: M[K]["context"],
    options?: Omit<DispatchOptions, "signal">,
  ): ResultOf<M[K]> | undefined;

  /**
   * The same dispatch, with the contribution of each handler and the deciding one; for audit log
   * and labels.
   */
  detailed<K extends HookNameOf<M, "rewrite" | "decide" | "claim">>(
    name: K,
    event: M[K]["event"],
    context: M[K]["context"],
    options?: DispatchOptions,
  ): Promise<DispatchDetails<ResultOf<M[K]>>>;

  /** As `detailed`, for a `sync` hook. */
  detailedSync<K extends HookNameOf<M, "sync">>(
    name: K,
    event: M[K]["event"],
    context: M[K]["context"],
    options?: Omit<DispatchOptions, "signal">,
  ): DispatchDetails<ResultOf<M[K]>>;

  /**
   * Returns true when any handler is active; with a context, any in scope for it; with a part, any
   * of that stage or owner.
   */
  has<K extends HookName<M>>(
    name: K,
    context?: Partial<M[K]["context"]>,
    event?: Partial<M[K]["event"]>,
    part?: Pick<DispatchOptions, "stage" | "owner">,
  ): boolean;

  /**
   * Returns the annotation of each handler in scope, in the order in which they run; `undefined` for a handler without one.
   */
  annotations<K extends HookName<M>>(
    name: K,
    context: Partial<M[K]["context"]>,
  ): readonly unknown[];

  readonly generation: number;
}

/** The dispatches of one generation, held until released (also by `using`). */
export interface PinnedDispatch<M extends HookMap<M>> extends HookDispatch<M>, Disposable {
  /**
   * Releases the generation; dispatching through the pin then throws. Further calls have no effect.
   */
  release(): void;
}
