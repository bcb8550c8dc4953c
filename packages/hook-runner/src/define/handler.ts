import type { HookKind, HookShape, ResultOf } from "./definition.js";

/** The logger of an owner; the runner only passes it to that owner's handlers. */
export interface HookLogger {
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
}

/**
 * Context fields of every handler besides the fields of the dispatch. `signal` and `logger` are
 * inherited: spreading or serialising the context omits them.
 */
export interface HandlerContext {
  /** The owner of this handler. */
  readonly pluginId: string;
  /** The dispatched hook; one handler may serve several. */
  readonly hookName: string;
  /** The config of the owner, frozen; `{}` when it has none. */
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  /**
   * Created on first read. Aborts at the deadline of this call, or when the dispatch is aborted.
   */
  readonly signal: AbortSignal;
  readonly logger: HookLogger | undefined;
}

/** The context of a handler of `S`. A type in the hook map overrides that of a common field. */
export type HookContext<S extends HookShape> = S["context"] &
  Omit<HandlerContext, keyof S["context"]>;

/**
 * The event of a handler of `S`: a plain object of this call only. A handler's changes, at any
 * depth, are not visible elsewhere. Its fields are own data properties; `context`, the handler's
 * second argument, is not enumerable, so spreading or serialising the event omits it.
 */
export type HookEvent<S extends HookShape> = S["event"] & {
  readonly context: HookContext<S>;
};

type Answer<S extends HookShape> = ResultOf<S> | null | undefined | void;

/**
 * Result type of a handler of `S`: any value for `observe`, not a promise for `sync`. A union whose
 * members are plain types, because TypeScript infers literals such as `outcome: "block"` only then.
 */
export type HandlerResult<S extends HookShape> =
  | Answer<S>
  | PromiseLike<Answer<S> & ForKind<S, "sync", never, unknown>>
  | ForKind<S, "observe", unknown, never>;

type ForKind<S extends HookShape, Kind extends HookKind, Then, Else> = {
  [K in HookKind]: K extends Kind ? Then : Else;
}[S["kind"]];

export type HookHandler<S extends HookShape> = (
  event: HookEvent<S>,
  context: HookContext<S>,
) => HandlerResult<S>;
