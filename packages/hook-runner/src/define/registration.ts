import { CallCounters } from "../observe/counters.js";
import type { DiagnosticCode } from "../observe/diagnostic.js";
import { ConcurrencyGate } from "./concurrency-gate.js";
import type { HookMap, HookName } from "./definition.js";
import type { HookHandler } from "./handler.js";
import type { Hook } from "./hook.js";
import type { CheckedOptions, HookOptions } from "./options.js";
import { Scope } from "./scope.js";

/** `policy` handlers run before all `ordinary` ones, regardless of priority (HOOK-043). */
export type HookStage = "policy" | "ordinary";

export interface HookRegistration<M extends HookMap<M>, K extends HookName<M>>
  extends HookOptions<M[K]> {
  /** The hook. */
  readonly name: K;
  readonly handler: HookHandler<M[K]>;
  /** Party responsible for the handler, such as a plugin id. */
  readonly owner: string;
  /** Source of the handler, such as a file; appears in diagnostics. */
  readonly source: string;
  readonly stage?: HookStage;
  /** The alias by which the hook was registered, if any; appears in traces. */
  readonly alias?: string;
  /**
   * Position among handlers of equal priority, in ascending order; handlers of equal order keep the
   * order of registration. Lets an owner that is registered again keep its position. Default 0.
   */
  readonly order?: number;
}

/** Description of a registration, without the handler. */
export interface RegistrationIdentity {
  readonly id: string;
  readonly hook: string;
  readonly owner: string;
  readonly source: string;
  readonly stage: HookStage;
  readonly priority: number;
  readonly alias?: string;
  readonly label?: string;
}

/** A registration of the current generation. */
export type HookRegistrationInfo = RegistrationIdentity &
  ({ readonly active: true } | { readonly active: false; readonly reason: string });

/** A handler without the types of the hook map. */
export type AnyHandler = (event: object, context: object) => unknown;

export interface RegistrationFields {
  readonly hook: Hook;
  readonly handler: AnyHandler;
  readonly owner: string;
  readonly source: string;
  readonly stage: HookStage;
  readonly alias: string | undefined;
  readonly options: CheckedOptions;
  readonly order: number;
  readonly sequence: number;
}

/** One registered handler, while it is registered in any generation. */
export class Registration implements RegistrationFields {
  readonly hook: Hook;
  readonly handler: AnyHandler;
  readonly owner: string;
  readonly source: string;
  readonly stage: HookStage;
  readonly alias: string | undefined;
  readonly options: CheckedOptions;
  readonly order: number;
  /** Position among all registrations of the runner. */
  readonly sequence: number;
  readonly id: string;
  readonly scope: Scope | null;
  readonly gate: ConcurrencyGate | null;
  readonly counters = new CallCounters();
  /** The diagnostics already reported, each at most once per registration. */
  readonly reported = new Set<DiagnosticCode>();

  constructor(fields: RegistrationFields) {
    const { options } = fields;
    this.hook = fields.hook;
    this.handler = fields.handler;
    this.owner = fields.owner;
    this.source = fields.source;
    this.stage = fields.stage;
    this.alias = fields.alias;
    this.options = options;
    this.order = fields.order;
    this.sequence = fields.sequence;
    this.id = options.id ?? `${fields.owner}/${fields.hook.name}#${fields.sequence}`;
    this.scope = options.scope === undefined ? null : new Scope(options.scope);
    this.gate =
      options.maxConcurrency === undefined ? null : new ConcurrencyGate(options.maxConcurrency);
  }

  get identity(): RegistrationIdentity {
    const { alias } = this;
    const { label, priority } = this.options;
    return {
      id: this.id,
      hook: this.hook.name,
      owner: this.owner,
      source: this.source,
      stage: this.stage,
      priority,
      ...(alias === undefined ? {} : { alias }),
      ...(label === undefined ? {} : { label }),
    };
  }

  /**
   * Returns true when the other one is the same handler for the same hook and owner, with equal
   * options.
   */
  equals(other: RegistrationFields): boolean {
    return (
      this.handler === other.handler &&
      this.hook === other.hook &&
      this.owner === other.owner &&
      this.stage === other.stage &&
      this.alias === other.alias &&
      this.options.condition === other.options.condition &&
      this.options.annotation === other.options.annotation &&
      JSON.stringify(this.options) === JSON.stringify(other.options)
    );
  }
}

/**
 * Returns true when it runs before `b` of the same hook (HOOK-009): by stage, priority, order, then
 * registration.
 */
export function inDispatchOrder(a: Registration, b: Registration): number {
  return (
    rank(a.stage) - rank(b.stage) ||
    b.options.priority - a.options.priority ||
    Math.sign(a.order - b.order) ||
    a.sequence - b.sequence
  );
}

function rank(stage: HookStage): number {
  return stage === "policy" ? 0 : 1;
}
