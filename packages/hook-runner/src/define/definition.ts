import type { HookFailureCode } from "../errors.js";

/**
 * Kind of dispatch.
 * - `observe`: all handlers run concurrently, their results are ignored
 * - `rewrite`: handlers run one after another, each sees the rewrites of earlier ones, results are
 *   merged
 * - `decide`: like `rewrite`, and a terminal result ends the dispatch
 * - `claim`: handlers run one after another until one returns `handled: true`
 * - `sync`: like `decide`, but never asynchronous
 */
export type HookKind = "observe" | "rewrite" | "decide" | "claim" | "sync";

/** Types of one hook in a hook map. */
export interface HookShape {
  kind: HookKind;
  event: object;
  context: object;
  /** `undefined` for hooks whose handlers return nothing. */
  result: object | undefined;
}

/** The constraint on a hook map; defined over its own keys so that plain interfaces satisfy it. */
export type HookMap<M> = { [K in keyof M]: HookShape };

export type HookName<M> = keyof M & string;

/** The names of `M` whose kind is `Kind`. */
export type HookNameOf<M extends HookMap<M>, Kind extends HookKind> = {
  [K in HookName<M>]: M[K]["kind"] extends Kind ? K : never;
}[HookName<M>];

export type ResultOf<S extends HookShape> = NonNullable<S["result"]>;

type KeysOfUnion<T> = T extends unknown ? keyof T & string : never;
type ValueOfUnion<T, F> = T extends unknown ? (F extends keyof T ? T[F] : never) : never;

/** Every field of any variant of a result. */
export type ResultField<S extends HookShape> = KeysOfUnion<ResultOf<S>>;

/** The type of one result field, without `undefined`. */
export type ResultValue<S extends HookShape, F extends string> = Exclude<
  ValueOfUnion<ResultOf<S>, F>,
  undefined
>;

type EventField<S extends HookShape> = KeysOfUnion<S["event"]>;

/** Failure mode: a failing handler is skipped (`open`) or fails its dispatch (`closed`). */
export type FailureDefault = "open" | "closed";

/**
 * Rule that merges one field of several results into one value, in handler order.
 * - `first`, `last`: the first or last defined value
 * - `concat`: non-empty strings, joined by one blank line
 * - `append`: arrays, one after another
 * - `any`: `true` if any value is `true`
 * - `intersect`: the members common to all arrays
 * - `assign`: objects, merged shallowly
 */
export type MergeStrategy = "first" | "last" | "concat" | "append" | "any" | "intersect" | "assign";

/** Arguments of a merge function besides the two values. */
export interface MergeInfo {
  /** Owner of the handler that returned the new value. */
  readonly owner: string;
  readonly registrationId: string;
  readonly priority: number;
  /** True when the result with the new value ends the dispatch. */
  readonly terminal: boolean;
}

/** Must be pure: it is called in handler order, and only with values, never with `undefined` as `next`. */
export type MergeFunction<V> = (accumulated: V | undefined, next: V, info: MergeInfo) => V;

type StrategyFor<V> =
  | "first"
  | "last"
  | ([V] extends [string] ? "concat" : never)
  | ([V] extends [boolean] ? "any" : never)
  | ([V] extends [readonly unknown[]]
      ? "append" | "intersect"
      : [V] extends [object]
        ? "assign"
        : never)
  | MergeFunction<V>;

export type MergeRules<S extends HookShape> = {
  readonly [F in ResultField<S>]: StrategyFor<ResultValue<S, F>>;
};

/**
 * Target of a merged result field in the event of later handlers: an event field, a function that
 * returns the event fields to replace, or `false` for none.
 */
export type RewriteTarget<S extends HookShape, V> =
  | EventField<S>
  | false
  | ((merged: V, event: Readonly<S["event"]>) => Partial<S["event"]>);

/** A result whose `field` equals `value` ends the dispatch. */
export type Terminal<S extends HookShape> = {
  [F in ResultField<S>]: { readonly field: F; readonly value: ResultValue<S, F> };
}[ResultField<S>];

/**
 * Isolation of an event field between handlers.
 * - `copy`: a private deep copy per handler
 * - `frozen`: one deeply frozen value for all; the field cannot be assigned either
 * - `frozen-items`: a private array per handler, whose items are shared and deeply frozen
 *
 * A field without an entry is shared when it is already deeply frozen, and copied otherwise.
 * Functions, class instances and streams are always passed unchanged.
 */
export type Isolation = "copy" | "frozen" | "frozen-items";

interface CommonDefinition<S extends HookShape> {
  readonly kind: S["kind"];
  readonly failure: FailureDefault;
  readonly isolate?: { readonly [F in EventField<S>]?: Isolation };
  /** True when the event or context names a tool, so that `scope.toolNames` applies. */
  readonly hasTool?: boolean;
}

interface DeadlineDefinition {
  /** Default deadline of one handler, in ms (integer, 1 to 600000). */
  readonly deadlineMs: number;
}

/** Argument of a definition's `deny`. */
export interface HookFailure {
  readonly code: HookFailureCode;
  readonly owner: string;
  readonly hook: string;
  readonly registrationId: string;
  /** A sentence with the owner and the kind of failure, without any text of the handler. */
  readonly reason: string;
  /** The missed deadline, in ms. */
  readonly timeoutMs?: number;
}

interface ResultDefinition<S extends HookShape> {
  /** Returns `true` for a valid result, otherwise a sentence with the problem. */
  readonly validate?: (result: Readonly<Record<string, unknown>> | null) => boolean | string;
  /**
   * Returns the denying result; a fail-closed failure ends the dispatch with it instead of an
   * error.
   */
  readonly deny?: (failure: HookFailure) => ResultOf<S>;
  /** Treatment of `null` and `{}`: "no result" (`none`, the default) or passed to `validate`. */
  readonly emptyResult?: "none" | "validate";
}

interface MergeDefinition<S extends HookShape> extends ResultDefinition<S> {
  readonly merge: MergeRules<S>;
  /**
   * A merged field replaces the event field of the same name, if the event has it, for later
   * handlers (with `assign` it is merged into that field); an entry here overrides this.
   */
  readonly rewrites?: {
    readonly [F in ResultField<S>]?: RewriteTarget<S, ResultValue<S, F>>;
  };
}

interface TerminalDefinition<S extends HookShape> {
  readonly terminal?: Terminal<S> | readonly Terminal<S>[];
}

export type ObserveDefinition<S extends HookShape> = CommonDefinition<S> & DeadlineDefinition;

export type RewriteDefinition<S extends HookShape> = CommonDefinition<S> &
  DeadlineDefinition &
  MergeDefinition<S>;

export type DecideDefinition<S extends HookShape> = RewriteDefinition<S> & TerminalDefinition<S>;

export type ClaimDefinition<S extends HookShape> = CommonDefinition<S> &
  DeadlineDefinition &
  ResultDefinition<S> & {
    /** The fields that a claim may have; others are dropped. When absent, every field is kept. */
    readonly fields?: readonly ResultField<S>[];
  };

export type SyncDefinition<S extends HookShape> = CommonDefinition<S> &
  MergeDefinition<S> &
  TerminalDefinition<S>;

/** The types of one entry of a hook map. */
export type HookDefinition<S extends HookShape> = {
  observe: ObserveDefinition<S>;
  rewrite: RewriteDefinition<S>;
  decide: DecideDefinition<S>;
  claim: ClaimDefinition<S>;
  sync: SyncDefinition<S>;
}[S["kind"]];

/** One definition per name of `M`. */
export type HookDefinitions<M extends HookMap<M>> = {
  readonly [K in HookName<M>]: HookDefinition<M[K]>;
};
