import { show } from "../errors.js";
import type { Fields } from "./fields.js";
import type { Hook } from "./hook.js";
import { copyOf } from "./isolation.js";
import { UNSAFE_KEYS } from "./merge.js";

/**
 * A result of a `policy` handler with a note for the caller of `detailed`. The note is not merged,
 * and no other handler and no trace sees it.
 */
export class NotedResult<Note = unknown> {
  /**
   * @param result - the handler's result without a note
   * @param note - any value; passed on unchanged
   */
  constructor(
    readonly result: unknown,
    readonly note: Note,
  ) {}
}

/** A valid result, copied when the handler returned it. */
export class Reading {
  constructor(
    readonly fields: Fields,
    /** True when it ends the dispatch. */
    readonly terminal: boolean,
    /** Fields unknown to the hook; they were dropped. */
    readonly unknown: readonly string[],
    /** The note of a `NotedResult`. */
    readonly note?: unknown,
  ) {}
}

/** A result the hook cannot use. */
export class Malformed {
  constructor(readonly reason: string) {}
}

/** `undefined` when the handler had no result. */
export type Answer = Reading | Malformed | undefined;

/**
 * Reads a handler's return value (HOOK-017 to HOOK-019). Every field is read once and copied, so
 * later changes to the object have no effect.
 *
 * @param closed - true when a failure of the handler would fail the dispatch
 * @throws any error of a getter of the result
 */
export function readResult(hook: Hook, closed: boolean, value: unknown): Answer {
  if (value === undefined) return undefined;
  if (value instanceof NotedResult) {
    const answer = readResult(hook, closed, value.result);
    if (answer instanceof Malformed) return answer;
    const { fields = {}, terminal = false, unknown = [] } = answer ?? {};
    return new Reading(fields, terminal, unknown, value.note);
  }
  if (value === null) return hook.validatesEmpty ? evaluated(hook, null, []) : undefined;
  if (typeof value !== "object" || Array.isArray(value)) {
    return new Malformed(`a result must be an object, got ${show(value)}`);
  }

  const { fields, unknown } = read(hook, value as Fields);
  if (Object.keys(fields).length === 0) {
    if (unknown.length > 0 && closed) {
      return new Malformed(`none of its fields is known to the hook: ${unknown.join(", ")}`);
    }
    if (hook.validatesEmpty) return evaluated(hook, fields, unknown);
    return unknown.length > 0 ? new Reading(fields, false, unknown) : undefined;
  }
  for (const { field, merger } of hook.rules) {
    const refusal = fields[field] === undefined ? undefined : merger.refuses(fields[field]);
    if (refusal !== undefined) return new Malformed(`field "${field}" ${refusal}`);
  }
  for (const { field, value: terminal } of hook.terminals) {
    if (field in fields && typeof fields[field] !== typeof terminal) {
      return new Malformed(
        `field "${field}" must be a ${typeof terminal}, got ${show(fields[field])}`,
      );
    }
  }
  return evaluated(hook, fields, unknown);
}

function read(
  hook: Hook,
  result: Fields,
): { readonly fields: Fields; readonly unknown: readonly string[] } {
  const known = hook.resultFields;
  const fields: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const field in result) {
    if (known === undefined ? UNSAFE_KEYS.has(field) : !known.has(field)) unknown.push(field);
  }
  // By name where names are known: a decision must count even if a getter of a class makes it.
  for (const field of known ?? Object.keys(result)) {
    const value = UNSAFE_KEYS.has(field) ? undefined : result[field];
    if (value !== undefined) fields[field] = copyOf(value);
  }
  return { fields, unknown };
}

function evaluated(hook: Hook, fields: Fields | null, unknown: readonly string[]): Answer {
  const verdict = verdictOf(hook, fields);
  if (verdict !== true) {
    const reason = typeof verdict === "string" ? verdict : "the hook's validation rejected it";
    return new Malformed(reason);
  }
  if (fields === null) return undefined;
  return new Reading(withoutNonDecisions(hook, fields), hook.isTerminal(fields), unknown);
}

function verdictOf(hook: Hook, fields: Fields | null): unknown {
  if (hook.validate === undefined) return true;
  try {
    return hook.validate(fields);
  } catch (error) {
    return `the hook's validation threw: ${error instanceof Error ? error.message : show(error)}`;
  }
}

/**
 * `block: false` decides nothing where `block: true` is terminal, so it cannot undo a block
 * (HOOK-012).
 */
function withoutNonDecisions(hook: Hook, fields: Fields): Fields {
  const kept = { ...fields };
  for (const { field, value } of hook.terminals) {
    if (value === true && kept[field] === false) delete kept[field];
  }
  return kept;
}
