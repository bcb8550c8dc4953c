import { nearestName, withSuggestion } from "@openclaw/foundation";
import { HookDefinitionError, show } from "../errors.js";
import type {
  FailureDefault,
  HookFailure,
  HookKind,
  Isolation,
  MergeStrategy,
} from "./definition.js";
import type { Fields } from "./fields.js";
import { type Fold, isMergeStrategy, MERGE_STRATEGIES, UNSAFE_KEYS } from "./merge.js";
import { isTimeout, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from "./options.js";

/** A definition without static types; their rules are checked at creation. */
export interface CheckedDefinition {
  readonly kind: HookKind;
  readonly failure: FailureDefault;
  readonly deadlineMs?: number;
  readonly isolate?: Readonly<Record<string, Isolation>>;
  readonly hasTool?: boolean;
  readonly merge?: Readonly<Record<string, MergeStrategy | Fold>>;
  readonly rewrites?: Readonly<
    Record<string, string | false | ((merged: unknown, event: Fields) => Fields)>
  >;
  readonly terminal?: CheckedTerminal | readonly CheckedTerminal[];
  readonly validate?: (result: Fields | null) => unknown;
  readonly deny?: (failure: HookFailure) => unknown;
  readonly emptyResult?: "none" | "validate";
  readonly fields?: readonly string[];
}

export interface CheckedTerminal {
  readonly field: string;
  readonly value: unknown;
}

type Key = keyof CheckedDefinition;

const COMMON: readonly Key[] = ["kind", "failure", "isolate", "hasTool"];
const RESULT: readonly Key[] = ["validate", "deny", "emptyResult"];
const MERGED: readonly Key[] = [...COMMON, ...RESULT, "merge", "rewrites"];

/** Allowed properties of each kind. */
const KEYS: Record<HookKind, readonly Key[]> = {
  observe: [...COMMON, "deadlineMs"],
  rewrite: [...MERGED, "deadlineMs"],
  decide: [...MERGED, "deadlineMs", "terminal"],
  claim: [...COMMON, ...RESULT, "deadlineMs", "fields"],
  sync: [...MERGED, "terminal"],
};

/** @throws HookDefinitionError naming every problem (HOOK-002) */
export function checkDefinition(hook: string, definition: Fields): CheckedDefinition {
  const problems = [...problemsOf(definition)];
  if (problems.length > 0) throw new HookDefinitionError(hook, problems);
  // Every property has just been checked; the type states the result.
  return definition as unknown as CheckedDefinition;
}

function* problemsOf(definition: Fields): Generator<string> {
  const { kind, failure, deadlineMs } = definition;
  if (typeof kind !== "string" || !Object.hasOwn(KEYS, kind)) {
    yield `kind must be one of ${Object.keys(KEYS).join(", ")}, got ${show(kind)}`;
    return;
  }
  yield* unknownKeys(kind as HookKind, definition);
  if (failure !== "open" && failure !== "closed") {
    yield `failure must be "open" or "closed", got ${show(failure)}`;
  }
  if (kind !== "sync" && !isTimeout(deadlineMs)) {
    yield `deadlineMs must be an integer from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}, got ${show(deadlineMs)}`;
  }
  for (const key of ["validate", "deny"] as const) {
    if (definition[key] !== undefined && typeof definition[key] !== "function") {
      yield `${key} must be a function, got ${show(definition[key])}`;
    }
  }
  const { emptyResult } = definition;
  if (emptyResult !== undefined && emptyResult !== "none" && emptyResult !== "validate") {
    yield `emptyResult must be "none" or "validate", got ${show(emptyResult)}`;
  }
  if (emptyResult === "validate" && definition.validate === undefined) {
    yield 'emptyResult "validate" needs a validate function';
  }
  yield* isolateProblems(definition.isolate);
  if (KEYS[kind as HookKind].includes("merge")) yield* mergeProblems(definition);
}

function* unknownKeys(kind: HookKind, definition: Fields): Generator<string> {
  for (const key of Object.keys(definition)) {
    if ((KEYS[kind] as readonly string[]).includes(key) || definition[key] === undefined) continue;
    yield withSuggestion(`a hook of kind ${kind} has no ${key}`, nearestName(key, KEYS[kind]));
  }
}

const ISOLATIONS = new Set<unknown>(["copy", "frozen", "frozen-items"] satisfies Isolation[]);

function* isolateProblems(isolate: unknown): Generator<string> {
  for (const [field, isolation] of entriesOf(isolate)) {
    if (!ISOLATIONS.has(isolation)) {
      yield `isolate.${field} must be "copy", "frozen" or "frozen-items", got ${show(isolation)}`;
    }
  }
}

function* mergeProblems({ merge, rewrites, terminal }: Fields): Generator<string> {
  if (typeof merge !== "object" || merge === null) {
    yield `merge must name every result field, got ${show(merge)}`;
    return;
  }
  for (const [field, rule] of entriesOf(merge)) {
    if (UNSAFE_KEYS.has(field)) yield `"${field}" cannot be a result field`;
    if (typeof rule !== "function" && !isMergeStrategy(rule)) {
      yield `merge.${field} must be a function or one of ${MERGE_STRATEGIES.join(", ")}, got ${show(rule)}`;
    }
  }
  for (const [field, target] of entriesOf(rewrites)) {
    if (!Object.hasOwn(merge, field)) yield `rewrites.${field} has no merge rule`;
    if (target !== false && typeof target !== "string" && typeof target !== "function") {
      yield `rewrites.${field} must be an event field, a function or false, got ${show(target)}`;
    }
  }
  for (const entry of terminalsOf(terminal)) {
    const field = entriesOf(entry).find(([key]) => key === "field")?.[1];
    if (typeof field !== "string" || !Object.hasOwn(merge, field)) {
      yield `terminal.field must be a field of merge, got ${show(field)}`;
    }
    if (entriesOf(entry).every(([key, value]) => key !== "value" || value === undefined)) {
      yield "terminal.value must be given";
    }
  }
}

/** Returns the terminals as a list: a definition has none, one or several. */
export function terminalsOf<T>(terminal: T | readonly T[] | undefined): readonly T[] {
  if (terminal === undefined) return [];
  return Array.isArray(terminal) ? terminal : [terminal as T];
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
