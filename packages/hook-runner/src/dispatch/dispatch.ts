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

/** What one handler contributed to a result. */
export interface Contribution<R> {
  readonly registration: RegistrationIdentity;
  /** Its result as the hook read it, before merging. */
  readonly result: Partial<R>;
  /** What the handler added by a `NotedResult`. */
  readonly note?: unknown;
}

/** A result, and who made it what it is. */
export interface DispatchDetails<R> {
  readonly result: R | undefined;
  /** `terminal` when a handler ended the dispatch, `denied` when the failure of one did. */
  readonly outcome: "completed" | "terminal" | "denied";
  /** The handler that ended the dispatch, by its result or by its failure. */
  readonly decidedBy?: RegistrationIdentity;
  /** The failure that became the denial. */
  readonly failure?: PluginHookExecutionError;
  /** The handlers that were called, in the order they ran. */
  readonly called: readonly RegistrationIdentity[];
  /** Of every handler that had something to say, in the order they ran. */
  readonly contributions: readonly Contribution<R>[];
}

type MaybePromise<T> = T | Promise<T>;

/**
 * Dispatches hooks by kind; a name of another kind does not compile. Handlers that all answer at once
 * make for a result at once, so callers simply `await`.
 *
 * @throws UnknownHookError, HookUsageError for a name or kind the compiler did not see
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

  /** Like `rewrite`; also a denial made from a failure is a result. */
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

  /** The same dispatch, telling also who contributed what and who decided; for audit and labels. */
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
   * Whether any active handler is there; with a context, any that is in scope for it; with a part, any
   * of that stage or owner.
   */
  has<K extends HookName<M>>(
    name: K,
    context?: Partial<M[K]["context"]>,
    event?: Partial<M[K]["event"]>,
    part?: Pick<DispatchOptions, "stage" | "owner">,
  ): boolean;

  readonly generation: number;
}

/** The dispatches of one generation, held until released (also by `using`). */
export interface PinnedDispatch<M extends HookMap<M>> extends HookDispatch<M>, Disposable {
  /** Lets the generation go; dispatching through the pin then throws. Calling it again does nothing. */
  release(): void;
}
