import { defined } from "@openclaw/foundation";
import type { HookDefinitions } from "@openclaw/hook-runner";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import { HOOK_CATALOG } from "../catalog/catalog.js";
import type { FieldDescription, FieldIsolation } from "../catalog/field.js";
import type { CustomMerge } from "../catalog/merge.js";

/** An entry of the catalog, without the types of its fields. */
interface PlainEntry {
  readonly kind: string;
  readonly failure: "open" | "closed";
  readonly deadlineMs?: number;
  readonly contextGroup: string;
  readonly event: Readonly<Record<string, FieldDescription>>;
  readonly result?: Readonly<Record<string, FieldDescription>>;
  readonly merge?: Readonly<Record<string, string | CustomMerge<unknown>>>;
  readonly rewrites?: object;
  readonly terminal?: readonly { readonly field: string; readonly value: unknown }[];
  readonly deny?: (reason: string) => object;
  readonly emptyResultFails?: boolean;
}

/** Returns the hook engine's definition of every hook, derived from the catalog. */
export function hookDefinitions(): HookDefinitions<HookMap> {
  const definitions = Object.entries(HOOK_CATALOG).map(([name, entry]) => [name, define(entry)]);
  // The catalog's own types tie every field, merge rule and terminal value to the HookMap.
  return Object.fromEntries(definitions) as HookDefinitions<HookMap>;
}

function define(entry: PlainEntry): object {
  const { kind, failure, deadlineMs, result, merge, rewrites, terminal, deny } = entry;
  return {
    kind,
    failure,
    ...defined({ deadlineMs }),
    isolate: isolationOf(entry.event),
    hasTool: entry.contextGroup === "tool",
    ...(result === undefined ? {} : { validate: (value: unknown) => validate(value, result) }),
    ...(kind === "claim" && result !== undefined ? { fields: Object.keys(result) } : {}),
    ...(merge === undefined ? {} : { merge: mergeRules(merge) }),
    ...defined({ rewrites, terminal }),
    ...(deny === undefined ? {} : { deny: (failed: DeniedFailure) => deny(denialReason(failed)) }),
    ...(entry.emptyResultFails === true ? { emptyResult: "validate" } : {}),
  };
}

function isolationOf(event: PlainEntry["event"]): Record<string, FieldIsolation> {
  const isolated: Record<string, FieldIsolation> = {};
  for (const [name, { isolation }] of Object.entries(event)) {
    if (isolation !== undefined) isolated[name] = isolation;
  }
  return isolated;
}

function mergeRules(rules: NonNullable<PlainEntry["merge"]>): object {
  return Object.fromEntries(
    Object.entries(rules).map(([field, rule]) => [
      field,
      typeof rule === "string" ? rule : rule.merge.bind(rule),
    ]),
  );
}

/** Returns true for a valid result, otherwise the problem (HCR-003). */
function validate(
  result: unknown,
  fields: Readonly<Record<string, FieldDescription>>,
): true | string {
  if (typeof result !== "object" || result === null) return `expected an object, got ${result}`;
  const values = result as Readonly<Record<string, unknown>>;
  for (const [name, { type, required, accepts }] of Object.entries(fields)) {
    const value = values[name];
    if (value === undefined) {
      if (required) return `"${name}" is missing: expected ${type}`;
    } else if (!accepts(value)) {
      return `"${name}" is wrong: expected ${type}`;
    }
  }
  return true;
}

/**
 * The part of the engine's failure that a denial may show: never the error's own text (HOOK-030).
 */
interface DeniedFailure {
  readonly owner: string;
  readonly code: string;
}

const FAILURES: Readonly<Record<string, string>> = {
  HOOK_THREW: "failed",
  HOOK_TIMEOUT: "did not answer in time",
  HOOK_MALFORMED: "gave an answer that cannot be used",
  HOOK_SATURATED: "has too many calls that never ended",
  HOOK_CONDITION: "failed in its condition",
  HOOK_ABORTED: "was aborted",
};

function denialReason({ owner, code }: DeniedFailure): string {
  return `plugin "${owner}" guards this step and ${FAILURES[code] ?? "failed"}`;
}
