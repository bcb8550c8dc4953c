import type { CallCounters } from "../observe/counters.js";
import type { ConcurrencyGate } from "./concurrency-gate.js";
import type { Fields } from "./fields.js";
import type { HookLogger } from "./handler.js";
import type { Hook } from "./hook.js";
import { type Interceptor, intercepted } from "./interceptor.js";
import type { CheckedOptions } from "./options.js";
import type { Owner } from "./owner.js";
import type { AnyHandler, Registration } from "./registration.js";
import type { Scope } from "./scope.js";

/** Source of a handler's deadline, highest precedence first (HOOK-020). */
export type DeadlineLevel = "operator-hook" | "operator-owner" | "registration" | "definition";

/**
 * A registration prepared for calls: everything that does not depend on a dispatch is computed. All
 * entries have one shape, and the loop that runs them reads nothing else.
 */
export class HandlerEntry {
  readonly handler: AnyHandler;
  /** True without scope, condition, retry and gate: the handler can be called directly. */
  readonly plain: boolean;
  /** True when calls use a `GuardedCall`, which waits for a slot and retries. */
  readonly guarded: boolean;
  readonly closed: boolean;
  readonly closedOnTimeout: boolean;
  /** Deadline of one call in ms; 0 for `sync` hooks. */
  readonly deadlineMs: number;
  readonly deadlineLevel: DeadlineLevel;
  readonly counters: CallCounters;
  readonly owner: string;
  readonly config: Fields;
  readonly logger: HookLogger | undefined;
  readonly scope: Scope | null;
  readonly condition: AnyHandler | null;
  readonly retry: CheckedOptions["retry"];
  readonly gate: ConcurrencyGate | null;
  readonly hook: Hook;

  constructor(
    readonly registration: Registration,
    owner: Owner,
    interceptors: readonly Interceptor[],
  ) {
    const { hook, options } = registration;
    const [deadlineMs, deadlineLevel] = deadlineOf(registration, owner);
    this.handler = intercepted(registration, interceptors);
    this.guarded = options.retry !== undefined || registration.gate !== null;
    this.plain = !this.guarded && registration.scope === null && options.condition === undefined;
    this.closed = options.mode === undefined ? hook.closed : options.mode === "fail-closed";
    this.closedOnTimeout =
      options.onTimeout === undefined ? this.closed : options.onTimeout === "fail-closed";
    this.deadlineMs = deadlineMs;
    this.deadlineLevel = deadlineLevel;
    this.counters = registration.counters;
    this.owner = registration.owner;
    this.config = owner.config;
    this.logger = owner.logger;
    this.scope = registration.scope;
    this.condition = options.condition ?? null;
    this.retry = options.retry;
    this.gate = registration.gate;
    this.hook = hook;
  }
}

function deadlineOf({ hook, options }: Registration, owner: Owner): [number, DeadlineLevel] {
  const forHook = owner.timeouts.get(hook.name);
  if (hook.kind !== "sync") {
    if (forHook !== undefined) return [forHook, "operator-hook"];
    if (owner.timeoutMs !== undefined) return [owner.timeoutMs, "operator-owner"];
    if (options.timeoutMs !== undefined) return [options.timeoutMs, "registration"];
  }
  return [hook.deadlineMs, "definition"];
}
