import { withSuggestion } from "@openclaw/foundation";
import type { FailureMode } from "./define/options.js";

// Each class carries a brand from the global symbol registry, so that an error made by a second
// copy of this package is still recognised; `instanceof` would miss it.
const EXECUTION = Symbol.for("openclaw.PluginHookExecutionError");
const DEFINITION = Symbol.for("openclaw.HookDefinitionError");
const OPTION = Symbol.for("openclaw.HookOptionError");
const UNKNOWN = Symbol.for("openclaw.UnknownHookError");
const USAGE = Symbol.for("openclaw.HookUsageError");

function isBranded(value: unknown, brand: symbol): boolean {
  return typeof value === "object" && value !== null && brand in value;
}

/** Why a handler, or the dispatch that called it, failed. */
export type HookFailureCode =
  | "HOOK_THREW"
  | "HOOK_TIMEOUT"
  | "HOOK_MALFORMED"
  | "HOOK_SATURATED"
  | "HOOK_CONDITION"
  | "HOOK_ABORTED";

export interface PluginHookExecutionErrorOptions {
  readonly code: HookFailureCode;
  readonly pluginId: string;
  readonly hookName: string;
  readonly registrationId: string;
  readonly mode: FailureMode;
  readonly attempts: number;
  /** The deadline of the call, in ms; absent where none applies. */
  readonly timeoutMs?: number | undefined;
  readonly durationMs: number;
  /** What went wrong, in words that quote nothing a handler said. */
  readonly detail: string;
  readonly cause?: unknown;
}

const NEXT_STEP: Record<HookFailureCode, string> = {
  HOOK_THREW: 'Fix the handler (see "cause"), or give it retry or mode "fail-open".',
  HOOK_TIMEOUT:
    'Make the handler faster and let it heed ctx.signal, raise its timeoutMs, or set onTimeout "fail-open".',
  HOOK_MALFORMED: "Return only the result fields this hook documents, with their types.",
  HOOK_SATURATED:
    "Let the handler heed ctx.signal so that overdue calls end, or raise its maxConcurrency.",
  HOOK_CONDITION: "Make the condition a synchronous function that does not throw.",
  HOOK_ABORTED: "Nothing to fix unless the abort was not meant; its reason is the cause.",
};

/**
 * A handler failed in a way that fails its dispatch, or the dispatch was aborted (HOOK-032).
 * The message is safe to show: what the handler threw is only in `cause`.
 */
export class PluginHookExecutionError extends Error {
  override readonly name = "PluginHookExecutionError";
  readonly code: HookFailureCode;
  readonly pluginId: string;
  readonly hookName: string;
  readonly registrationId: string;
  /** The mode the failing registration ran under for this kind of failure. */
  readonly mode: FailureMode;
  /** How often the handler was called in this dispatch. */
  readonly attempts: number;
  /** Deadline of the call in ms, where one applied. */
  readonly timeoutMs: number | undefined;
  /** How long the call ran, in ms; in steps of the deadline tick unless the dispatch was recorded. */
  readonly durationMs: number;
  /** The other failures of a concurrent dispatch, in handler order (HOOK-031). */
  errors: readonly PluginHookExecutionError[] = [];

  constructor(options: PluginHookExecutionErrorOptions) {
    super(
      `Plugin "${options.pluginId}", hook "${options.hookName}" (registration ${options.registrationId}): ` +
        `${options.detail}. ${NEXT_STEP[options.code]}`,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.code = options.code;
    this.pluginId = options.pluginId;
    this.hookName = options.hookName;
    this.registrationId = options.registrationId;
    this.mode = options.mode;
    this.attempts = options.attempts;
    this.timeoutMs = options.timeoutMs;
    this.durationMs = options.durationMs;
  }

  get [EXECUTION](): true {
    return true;
  }

  static isInstance(value: unknown): value is PluginHookExecutionError {
    return isBranded(value, EXECUTION);
  }
}

/** A hook definition contradicts itself or names something that does not exist (HOOK-002). */
export class HookDefinitionError extends Error {
  override readonly name = "HookDefinitionError";
  readonly code = "HOOK_DEFINITION";
  readonly hook: string;
  /** Every problem found, one sentence each. */
  readonly problems: readonly string[];

  constructor(hook: string, problems: readonly string[]) {
    super(
      `The definition of hook "${hook}" is inconsistent: ${problems.join("; ")}. ` +
        "Correct it where the runner is created.",
    );
    this.hook = hook;
    this.problems = problems;
  }

  get [DEFINITION](): true {
    return true;
  }

  static isInstance(value: unknown): value is HookDefinitionError {
    return isBranded(value, DEFINITION);
  }
}

export interface HookOptionErrorOptions {
  readonly owner: string;
  readonly hook: string;
  readonly option: string;
  readonly value: unknown;
  readonly allowed: string;
}

/** A registration option has the wrong type or is out of range; nothing was registered (HOOK-004). */
export class HookOptionError extends Error {
  override readonly name = "HookOptionError";
  readonly code = "HOOK_OPTION";
  readonly owner: string;
  readonly hook: string;
  readonly option: string;
  readonly value: unknown;
  readonly allowed: string;

  constructor(options: HookOptionErrorOptions) {
    super(
      `Plugin "${options.owner}", hook "${options.hook}": option "${options.option}" must be ` +
        `${options.allowed}, got ${show(options.value)}. Nothing was registered; correct the option.`,
    );
    this.owner = options.owner;
    this.hook = options.hook;
    this.option = options.option;
    this.value = options.value;
    this.allowed = options.allowed;
  }

  get [OPTION](): true {
    return true;
  }

  static isInstance(value: unknown): value is HookOptionError {
    return isBranded(value, OPTION);
  }
}

/** A hook name is not among the definitions (HOOK-006). */
export class UnknownHookError extends Error {
  override readonly name = "UnknownHookError";
  readonly code = "HOOK_UNKNOWN";
  readonly hook: string;
  /** Who asked for it; absent when it was dispatched. */
  readonly owner: string | undefined;
  /** Known names that are close, nearest first; at most three. */
  readonly suggestions: readonly string[];

  constructor(hook: string, owner: string | undefined, suggestions: readonly string[]) {
    const who = owner === undefined ? "A dispatch" : `Plugin "${owner}"`;
    super(
      withSuggestion(
        `${who} named hook "${hook}", which does not exist`,
        suggestions,
        "no known name is close, look it up in the hook reference",
      ),
    );
    this.hook = hook;
    this.owner = owner;
    this.suggestions = suggestions;
  }

  get [UNKNOWN](): true {
    return true;
  }

  static isInstance(value: unknown): value is UnknownHookError {
    return isBranded(value, UNKNOWN);
  }
}

export type HookUsageCode =
  | "HOOK_WRONG_KIND"
  | "HOOK_PIN_RELEASED"
  | "HOOK_TRANSACTION"
  | "HOOK_ARGUMENT";

/** The runner itself was used in a way it does not allow. */
export class HookUsageError extends Error {
  override readonly name = "HookUsageError";
  readonly code: HookUsageCode;

  constructor(code: HookUsageCode, message: string) {
    super(message);
    this.code = code;
  }

  get [USAGE](): true {
    return true;
  }

  static isInstance(value: unknown): value is HookUsageError {
    return isBranded(value, USAGE);
  }
}

/** A value as it reads in a message: short, and without running code of the value. */
export function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
    case "function":
      return "a function";
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
    case "bigint":
      return `${value}n`;
    default:
      return String(value);
  }
}
