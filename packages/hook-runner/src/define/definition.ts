import type { HookFailureCode } from "../errors.js";

/**
 * How a hook is dispatched.
 * - `observe`: all handlers run concurrently, their values are ignored
 * - `rewrite`: one after another, each sees the rewrites of those before it, results are merged
 * - `decide`: like `rewrite`, and a terminal result stops the rest
 * - `claim`: one after another until one answers `handled: true`
 * - `sync`: like `decide`, without ever waiting
 */
export type HookKind = "observe" | "rewrite" | "decide" | "claim" | "sync";

/** What one entry of a hook map says about a hook. */
export interface HookShape {
  kind: HookKind;
  event: object;
  context: object;
  /** `undefined` for hooks whose handlers answer nothing. */
  result: object | undefined;
}

/** The constraint on a hook map; written over its own keys so that plain interfaces satisfy it. */
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

/** Whether a failing handler is skipped (`open`) or fails its dispatch (`closed`). */
export type FailureDefault = "open" | "closed";

/**
 * How one field of several results becomes one value, in the order the handlers ran.
 * - `first`, `last`: the first or last defined value
 * - `concat`: non-empty strings, joined by one blank line
 * - `append`: arrays, one after another
 * - `any`: `true` if any value is `true`
 * - `intersect`: the members common to all arrays
 * - `assign`: objects, merged shallowly
 */
export type MergeStrategy = "first" | "last" | "concat" | "append" | "any" | "intersect" | "assign";

/** What a merge function may know besides the two values. */
export interface MergeInfo {
  /** Owner of the handler that returned the new value. */
  readonly owner: string;
  readonly registrationId: string;
  readonly priority: number;
  /** Whether the result that holds the new value ends the dispatch. */
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
 * Where later handlers see a merged result field: an event field, a function that returns the
 * event fields to replace, or `false` for nowhere.
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
 * How handlers get an event field.
 * - `copy`: a private deep copy per handler
 * - `frozen`: one value for all, frozen in depth; the field cannot be assigned either
 * - `frozen-items`: a private array per handler, whose items are shared and frozen in depth
 *
 * A field without an entry is shared when it is already frozen in depth, and copied otherwise.
 * Functions, class instances and streams are always passed as they are.
 */
export type Isolation = "copy" | "frozen" | "frozen-items";

interface CommonDefinition<S extends HookShape> {
  readonly kind: S["kind"];
  readonly failure: FailureDefault;
  readonly isolate?: { readonly [F in EventField<S>]?: Isolation };
  /** Whether the event or context names a tool, so that `scope.toolNames` means something. */
  readonly hasTool?: boolean;
}

interface DeadlineDefinition {
  /** Default deadline of one handler, in ms (integer, 1 to 600000). */
  readonly deadlineMs: number;
}

/** What a definition's `deny` is told. */
export interface HookFailure {
  readonly code: HookFailureCode;
  readonly owner: string;
  readonly hook: string;
  readonly registrationId: string;
  /** A sentence that names the owner and the kind of failure, and quotes nothing a handler said. */
  readonly reason: string;
  /** The deadline that passed, in ms. */
  readonly timeoutMs?: number;
}

interface ResultDefinition<S extends HookShape> {
  /** `true` when the result is sound, or a sentence that says what is wrong with it. */
  readonly validate?: (result: Readonly<Record<string, unknown>> | null) => boolean | string;
  /** The result that denies; a fail-closed failure ends the dispatch with it instead of an error. */
  readonly deny?: (failure: HookFailure) => ResultOf<S>;
  /** Whether `null` and `{}` mean "no result" (`none`, the default) or are for `validate` to judge. */
  readonly emptyResult?: "none" | "validate";
}

interface MergeDefinition<S extends HookShape> extends ResultDefinition<S> {
  readonly merge: MergeRules<S>;
  /**
   * A merged field replaces the event field of the same name, if the event has it, for the handlers
   * that follow (with `assign` it is laid over that field); an entry here says otherwise.
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
    /** The fields a claim may carry; others are dropped. Without it every field is kept. */
    readonly fields?: readonly ResultField<S>[];
  };

export type SyncDefinition<S extends HookShape> = CommonDefinition<S> &
  MergeDefinition<S> &
  TerminalDefinition<S>;

/** The values that go with one entry of a hook map. */
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
