import { HookCounters } from "../observe/counters.js";
import type { HookFailure, HookKind, Isolation } from "./definition.js";
import { type CheckedTerminal, checkDefinition, terminalsOf } from "./definition-check.js";
import type { Fields } from "./fields.js";
import { assignSafely, type Merger, mergerOf } from "./merge.js";

/** Rules for one result field. */
export interface FieldRule {
  readonly field: string;
  readonly merger: Merger;
  /** The event fields that a merged value replaces for later handlers, if any. */
  readonly rewrite: (merged: unknown, event: Fields) => Fields | undefined;
}

/** A definition, checked and prepared for dispatching. */
export class Hook {
  readonly name: string;
  readonly kind: HookKind;
  /** True when failures fail the dispatch unless a registration overrides it. */
  readonly closed: boolean;
  /** Default deadline in ms; 0 for `sync`, which has none. */
  readonly deadlineMs: number;
  readonly hasTool: boolean;
  readonly isolation: ReadonlyMap<string, Isolation>;
  /** The event fields that handlers must not assign. */
  readonly frozenFields: readonly string[];
  readonly rules: readonly FieldRule[];
  /** The known result fields; `undefined` when any is accepted. */
  readonly resultFields: ReadonlySet<string> | undefined;
  readonly terminals: readonly CheckedTerminal[];
  readonly validate: ((result: Fields | null) => unknown) | undefined;
  readonly deny: ((failure: HookFailure) => unknown) | undefined;
  readonly validatesEmpty: boolean;
  readonly counters = new HookCounters();

  /** @throws HookDefinitionError when the definition is inconsistent */
  constructor(name: string, source: Fields) {
    const definition = checkDefinition(name, source);
    const { merge = {}, rewrites = {} } = definition;
    this.name = name;
    this.kind = definition.kind;
    this.closed = definition.failure === "closed";
    this.deadlineMs = definition.deadlineMs ?? 0;
    this.hasTool = definition.hasTool ?? false;
    this.isolation = new Map(Object.entries(definition.isolate ?? {}));
    this.frozenFields = [...this.isolation.keys()].filter(
      (field) => this.isolation.get(field) === "frozen",
    );
    this.rules = Object.entries(merge).map(([field, rule]) => ({
      field,
      merger: mergerOf(rule),
      rewrite: rewriteOf(field, rewrites[field], rule === "assign"),
    }));
    this.resultFields =
      this.kind === "claim"
        ? definition.fields && new Set([CLAIMED.field, ...definition.fields])
        : new Set(Object.keys(merge));
    this.terminals = this.kind === "claim" ? [CLAIMED] : terminalsOf(definition.terminal);
    this.validate = definition.validate;
    this.deny = definition.deny;
    this.validatesEmpty = definition.emptyResult === "validate";
  }

  isTerminal(result: Fields): boolean {
    return this.terminals.some(({ field, value }) => result[field] === value);
  }
}

const CLAIMED: CheckedTerminal = { field: "handled", value: true };

type Target = string | false | ((merged: unknown, event: Fields) => Fields) | undefined;

function rewriteOf(field: string, target: Target, overlays: boolean): FieldRule["rewrite"] {
  if (typeof target === "function") return target;
  if (target === false) return () => undefined;
  const to = target ?? field;
  return (merged, event) => {
    if (target === undefined && !Object.hasOwn(event, field)) return undefined;
    return { [to]: overlays ? assignSafely(recordOf(event[to]), recordOf(merged)) : merged };
  };
}

function recordOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}
