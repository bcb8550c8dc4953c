import { isDeepStrictEqual } from "node:util";
import type { OpenClawConfiguration } from "@openclaw/configuration";

/** Keys from the root of a configuration. */
export type ChangedPath = readonly [string, ...string[]];

/**
 * Returns the keys whose values differ between two configurations. Objects are compared by key, everything
 * else as a whole.
 * @param before - earlier value
 * @param after - later value
 */
export function changedPaths(before: unknown, after: unknown): ChangedPath[] {
  return differences(before, after, []).flatMap(([first, ...rest]): ChangedPath[] =>
    first === undefined ? [] : [[first, ...rest]],
  );
}

function differences(before: unknown, after: unknown, path: readonly string[]): string[][] {
  if (isDeepStrictEqual(before, after) || (isEmpty(before) && isEmpty(after))) return [];
  if (!isObject(before) || !isObject(after)) {
    // A section that appears or disappears differs in each of its keys, which may be applied differently.
    const present = isObject(before) ? before : after;
    const isWholeSection = (before === undefined || after === undefined) && isObject(present);
    if (!isWholeSection) return [[...path]];
  }
  const one = isObject(before) ? before : {};
  const other = isObject(after) ? after : {};
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differences(own(one, key), own(other, key), [...path, key]));
}

/**
 * Returns a configuration with some of its keys as they are in another one.
 * @param value - configuration to copy
 * @param kept - paths of the keys to take from `from`
 * @param from - configuration that has their values
 */
export function withKeysOf(
  value: OpenClawConfiguration,
  kept: readonly ChangedPath[],
  from: OpenClawConfiguration,
): OpenClawConfiguration {
  const copy: Record<string, unknown> = structuredClone(value);
  for (const path of kept) {
    const original = path.reduce<unknown>((part, key) => own(part, key), from);
    setAt(copy, path, structuredClone(original));
  }
  return copy;
}

function setAt(
  object: Record<string, unknown>,
  [key, ...rest]: readonly string[],
  value: unknown,
): void {
  if (key === undefined) return;
  if (rest.length === 0) {
    if (value === undefined) delete object[key];
    else define(object, key, value);
    return;
  }
  const inner = own(object, key);
  if (isObject(inner)) {
    setAt(inner, rest, value);
    if (value === undefined && isEmpty(inner)) delete object[key];
  } else if (value !== undefined) {
    const created: Record<string, unknown> = {};
    define(object, key, created);
    setAt(created, rest, value);
  }
}

/** A key named __proto__ must become a normal property. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  const descriptor = { value, enumerable: true, configurable: true, writable: true };
  Object.defineProperty(object, key, descriptor);
}

function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A section without keys means the same as none. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.keys(value).length === 0);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
