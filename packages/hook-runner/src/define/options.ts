import type { FailureMode } from "../errors.js";
import type { HookKind, HookShape } from "./definition.js";
import type { Fields } from "./fields.js";
import type { HookContext, HookEvent } from "./handler.js";

export interface RetryOptions {
  /** Number of retries after the first attempt, 0 to 5. */
  readonly count: number;
  /** Delay before the first retry, in ms (0 to 60000); it doubles with each further retry. */
  readonly backoffMs?: number;
}

/**
 * Scope of a handler. Entries are case-insensitive, `*` is a wildcard, every listed dimension must
 * match, and an empty list matches nothing.
 */
export interface ScopeOptions {
  readonly channels?: readonly string[];
  readonly agentIds?: readonly string[];
  readonly toolNames?: readonly string[];
}

/** Execution options of one registration. */
export interface HookOptions<S extends HookShape = HookShape> {
  /** Higher runs first; equal priorities keep the order of registration. Default 0. */
  readonly priority?: number;
  /** Deadline of one call, in ms (integer, 1 to 600000); an operator's setting overrides it. */
  readonly timeoutMs?: number;
  /** Default: the failure default of the hook. */
  readonly mode?: FailureMode;
  /** Failure mode at the deadline. Default: `mode`. */
  readonly onTimeout?: FailureMode;
  readonly retry?: RetryOptions;
  /**
   * Maximum number of concurrent calls of this registration (integer, from 1); more wait in order.
   */
  readonly maxConcurrency?: number;
  readonly scope?: ScopeOptions;
  /** Synchronous condition; the handler is skipped when it returns a falsy value. */
  readonly condition?: (event: HookEvent<S>, context: HookContext<S>) => unknown;
  /** Name of the registration in traces and errors; generated when absent. */
  readonly id?: string;
  /** Free text for traces and listings. */
  readonly label?: string;
  /** Value of the host about the handler, which `annotations` returns; the engine does not read it. */
  readonly annotation?: unknown;
}

/** The options of a registration after validation, with defaults. */
export interface CheckedOptions {
  readonly priority: number;
  readonly timeoutMs: number | undefined;
  readonly mode: FailureMode | undefined;
  readonly onTimeout: FailureMode | undefined;
  readonly retry: { readonly count: number; readonly backoffMs: number } | undefined;
  readonly maxConcurrency: number | undefined;
  readonly scope: ScopeOptions | undefined;
  readonly condition: ((event: object, context: object) => unknown) | undefined;
  readonly id: string | undefined;
  readonly label: string | undefined;
  readonly annotation: unknown;
}

export const OPTION_NAMES: readonly string[] = [
  "priority",
  "timeoutMs",
  "mode",
  "onTimeout",
  "retry",
  "maxConcurrency",
  "scope",
  "condition",
  "id",
  "label",
  "annotation",
] satisfies (keyof HookOptions)[];

export const MIN_TIMEOUT_MS = 1;
export const MAX_TIMEOUT_MS = 600_000;
const TIMEOUTS = `an integer from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS} (ms)`;
const MODES = '"fail-open" or "fail-closed"';
const DIMENSIONS = ["channels", "agentIds", "toolNames"] as const;

export function isTimeout(value: unknown): value is number {
  return isIntegerIn(value, MIN_TIMEOUT_MS, MAX_TIMEOUT_MS);
}

/** Throws for an invalid option. */
export type Refuse = (option: string, value: unknown, allowed: string) => never;

/** @throws HookOptionError naming option, value and allowed range (HOOK-004) */
export function checkOptions(options: Fields, refuse: Refuse): CheckedOptions {
  const optional = <T>(
    option: string,
    isSound: (value: unknown) => value is T,
    allowed: string,
  ): T | undefined => {
    const value = options[option];
    return value === undefined || isSound(value) ? value : refuse(option, value, allowed);
  };
  return {
    priority: optional("priority", isFiniteNumber, "a finite number") ?? 0,
    timeoutMs: optional("timeoutMs", isTimeout, TIMEOUTS),
    mode: optional("mode", isMode, MODES),
    onTimeout: optional("onTimeout", isMode, MODES),
    retry: checkRetry(optional("retry", isRecord, "an object { count, backoffMs? }"), refuse),
    maxConcurrency: optional("maxConcurrency", isPositiveInteger, "an integer from 1"),
    scope: checkScope(
      optional("scope", isRecord, "an object { channels?, agentIds?, toolNames? }"),
      refuse,
    ),
    condition: optional("condition", isCondition, "a function (event, context) => boolean"),
    id: optional("id", isName, "a non-empty string"),
    label: optional("label", isString, "a string"),
    annotation: options.annotation,
  };
}

/**
 * Removes options without effect for the hook, and names them (HOOK-005). A scope that named only
 * tools, on a hook without a tool, is removed.
 */
export function withoutIneffective(
  options: CheckedOptions,
  hook: { readonly kind: HookKind; readonly hasTool: boolean },
): { readonly effective: CheckedOptions; readonly ineffective: readonly string[] } {
  const ineffective: string[] = [];
  let effective = options;
  if (hook.kind === "sync") {
    for (const key of ["timeoutMs", "onTimeout", "retry", "maxConcurrency"] as const) {
      if (options[key] !== undefined) ineffective.push(key);
      effective = { ...effective, [key]: undefined };
    }
  }
  if (!hook.hasTool && options.scope?.toolNames !== undefined) {
    ineffective.push("scope.toolNames");
    const { toolNames: _dropped, ...scope } = options.scope;
    effective = { ...effective, scope: Object.keys(scope).length === 0 ? undefined : scope };
  }
  return { effective, ineffective };
}

function checkRetry(retry: Fields | undefined, refuse: Refuse): CheckedOptions["retry"] {
  if (retry === undefined) return undefined;
  const { count, backoffMs = 0 } = retry;
  if (!isIntegerIn(count, 0, 5)) return refuse("retry.count", count, "an integer from 0 to 5");
  if (!isFiniteNumber(backoffMs) || backoffMs < 0 || backoffMs > 60_000) {
    return refuse("retry.backoffMs", backoffMs, "a number from 0 to 60000 (ms)");
  }
  return count === 0 ? undefined : { count, backoffMs };
}

function checkScope(scope: Fields | undefined, refuse: Refuse): ScopeOptions | undefined {
  if (scope === undefined) return undefined;
  const checked: { channels?: string[]; agentIds?: string[]; toolNames?: string[] } = {};
  for (const [key, names] of Object.entries(scope)) {
    const dimension = DIMENSIONS.find((each) => each === key);
    // Rejected, not ignored as unknown options are: the handler would run outside its intended scope.
    if (dimension === undefined) {
      return refuse("scope", key, `made of the dimensions ${DIMENSIONS.join(", ")}`);
    }
    if (names === undefined) continue;
    if (!Array.isArray(names) || !names.every(isString)) {
      return refuse(`scope.${dimension}`, names, "an array of strings");
    }
    checked[dimension] = [...names];
  }
  return Object.keys(checked).length === 0 ? undefined : checked;
}

function isIntegerIn(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isPositiveInteger(value: unknown): value is number {
  return isIntegerIn(value, 1, Number.MAX_SAFE_INTEGER);
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isMode(value: unknown): value is FailureMode {
  return value === "fail-open" || value === "fail-closed";
}

function isCondition(value: unknown): value is (event: object, context: object) => unknown {
  return typeof value === "function";
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

export function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
