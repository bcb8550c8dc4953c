import { show } from "../errors.js";
import type { MergeInfo, MergeStrategy } from "./definition.js";

/** Merges the next value into the current one; pure, called in handler order. */
export type Fold = (accumulated: unknown, next: unknown, info: MergeInfo) => unknown;

/** Validation and merge of one result field (HOOK-016). */
export interface Merger {
  /** Returns the problem of a value as text; `undefined` if it can be merged. */
  refuses(value: unknown): string | undefined;
  readonly fold: Fold;
}

function merger<T>(
  expected: string,
  accepts: (value: unknown) => value is T,
  fold: (accumulated: T | undefined, next: T) => T,
): Merger {
  return {
    refuses: (value) => (accepts(value) ? undefined : `must be ${expected}, got ${show(value)}`),
    // Only values that `accepts` allowed are folded, and folding creates no others.
    fold: fold as Fold,
  };
}

const isAnything = (_value: unknown): _value is unknown => true;
const isString = (value: unknown): value is string => typeof value === "string";
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const STRATEGIES: Record<MergeStrategy, Merger> = {
  first: merger("any value", isAnything, (accumulated, next) =>
    accumulated === undefined ? next : accumulated,
  ),
  last: merger("any value", isAnything, (_accumulated, next) => next),
  concat: merger("a string", isString, (accumulated, next) =>
    accumulated && next ? `${accumulated}\n\n${next}` : accumulated || next,
  ),
  append: merger("an array", isArray, (accumulated = [], next) => [...accumulated, ...next]),
  any: merger("a boolean", isBoolean, (accumulated, next) => accumulated === true || next),
  intersect: merger("an array", isArray, (accumulated, next) => {
    if (accumulated === undefined) return next;
    const members = new Set(next);
    return accumulated.filter((member) => members.has(member));
  }),
  assign: merger("an object", isRecord, (accumulated, next) => assignSafely(accumulated, next)),
};

export const MERGE_STRATEGIES: readonly string[] = Object.keys(STRATEGIES);

export function isMergeStrategy(value: unknown): value is MergeStrategy {
  return isString(value) && Object.hasOwn(STRATEGIES, value);
}

export function mergerOf(rule: MergeStrategy | Fold): Merger {
  return typeof rule === "function" ? { refuses: () => undefined, fold: rule } : STRATEGIES[rule];
}

/** Keys that reach a prototype when assigned; never merged (HOOK-018). */
export const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Returns a shallow merge in a new object, without the unsafe keys. */
export function assignSafely(
  ...sources: readonly (Readonly<Record<string, unknown>> | undefined)[]
): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const source of sources) {
    if (source === undefined) continue;
    for (const key of Object.keys(source)) {
      if (!UNSAFE_KEYS.has(key)) merged[key] = source[key];
    }
  }
  return merged;
}
