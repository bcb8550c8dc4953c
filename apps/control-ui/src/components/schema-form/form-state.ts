import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { isRecord } from "./schema.js";

/** Change that was not saved. */
export interface FormChange {
  readonly path: readonly string[];
  /** New value; undefined removes the key. */
  readonly value: unknown;
}

/** Place of a value, and what applies without it. */
export interface FormOrigin {
  readonly layer: string;
  readonly origin: string;
  readonly shadowed: readonly { readonly origin: string; readonly value?: unknown }[];
}

/** Values of a form with the changes of a person. */
export class FormState {
  /** Values as they are stored. */
  readonly stored = signal<unknown>({});
  /** Changes by key, in the order in which they were made. */
  readonly changes = signal<ReadonlyMap<string, FormChange>>(new Map());
  /** Problems by key: of this page, and of the gateway. */
  readonly problems = signal<ReadonlyMap<string, string>>(new Map());
  /** Origins of the stored values by key. */
  readonly origins = signal<ReadonlyMap<string, FormOrigin>>(new Map());
  /** Values with the changes. */
  readonly current: ReadonlySignal<unknown> = computed(() => {
    let value = this.stored.value;
    for (const change of this.changes.value.values())
      value = withValue(value, change.path, change.value);
    return value;
  });

  /**
   * Changes a value; a value that equals the stored one is not a change.
   * @param value - new value; undefined removes the key
   */
  change(path: readonly string[], value: unknown): void {
    const next = new Map([...this.changes.value].filter(([, each]) => !isBelow(each.path, path)));
    const stored = valueAt(this.stored.value, path);
    if (JSON.stringify(stored) !== JSON.stringify(value)) next.set(keyOf(path), { path, value });
    this.changes.value = next;
    this.report(path, undefined);
  }

  /** Takes the changes of a value and of its members back. */
  reset(path: readonly string[]): void {
    this.changes.value = new Map(
      [...this.changes.value].filter(([, each]) => !isBelow(each.path, path)),
    );
    this.report(path, undefined);
  }

  /** Takes every change back. */
  discard(): void {
    this.changes.value = new Map();
    this.problems.value = new Map();
  }

  /**
   * Sets or removes the problem of a value.
   * @param problem - problem; undefined removes it
   */
  report(path: readonly string[], problem: string | undefined): void {
    const next = new Map(this.problems.value);
    if (problem === undefined) next.delete(path.join("."));
    else next.set(path.join("."), problem);
    this.problems.value = next;
  }

  /** Returns the number of changes of a value and of its members. */
  countBelow(path: readonly string[]): number {
    return [...this.changes.value.values()].filter((each) => isBelow(each.path, path)).length;
  }
}

/** Returns the key of a path in maps. */
export function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/**
 * Returns the value at a path; undefined without one.
 * @param value - whole value
 */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/**
 * Returns true for a value that contains a secret, which the gateway does not send.
 * @param value - value as the gateway sent it
 */
export function hasSecret(value: unknown): boolean {
  return /\[redacted/i.test(JSON.stringify(value) ?? "");
}

function withValue(whole: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const { [key]: inner, ...others } = isRecord(whole) ? whole : {};
  const changed = withValue(inner, rest, value);
  if (changed === undefined) return others;
  return isRecord(whole) && Object.hasOwn(whole, key)
    ? { ...whole, [key]: changed }
    : { ...others, [key]: changed };
}

function isBelow(path: readonly string[], base: readonly string[]): boolean {
  return base.every((key, index) => path[index] === key);
}
