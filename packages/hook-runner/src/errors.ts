import { startOfText, withSuggestion } from "@openclaw/foundation";
import { type ErrorKind, OpenClawError } from "@openclaw/foundation/errors";

/** Reason that a handler, or the dispatch that called it, failed. */
export type HookFailureCode =
  | "HOOK_THREW"
  | "HOOK_TIMEOUT"
  | "HOOK_MALFORMED"
  | "HOOK_SATURATED"
  | "HOOK_CONDITION"
  | "HOOK_ABORTED";

/** Effect of a failing handler on its dispatch: none, or deny (or fail) it. */
export type FailureMode = "fail-open" | "fail-closed";

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
  /** Problem as a sentence that quotes no text of a handler. */
  readonly detail: string;
  readonly cause?: unknown;
}

const KIND: Record<HookFailureCode, ErrorKind> = {
  HOOK_THREW: "internal",
  HOOK_TIMEOUT: "timeout",
  HOOK_MALFORMED: "internal",
  HOOK_SATURATED: "busy",
  HOOK_CONDITION: "internal",
  HOOK_ABORTED: "conflict",
};

const NEXT_STEP: Record<HookFailureCode, string> = {
  HOOK_THREW: 'Fix the handler (see "cause"), or give it retry or mode "fail-open".',
  HOOK_TIMEOUT:
    'Make the handler faster and let it heed ctx.signal, raise its timeoutMs, or set onTimeout "fail-open".',
  HOOK_MALFORMED: "Return only the result fields this hook documents, with their types.",
  HOOK_SATURATED:
    "Make the handler respect ctx.signal so that overdue calls end, or raise its maxConcurrency.",
  HOOK_CONDITION: "Make the condition a synchronous function that does not throw.",
  HOOK_ABORTED: "Nothing to fix unless the abort was unintended; its reason is the cause.",
};

/**
 * A handler failed in a way that fails its dispatch, or the dispatch was aborted (HOOK-032). The
 * message is safe to show: the handler's error is only in `cause`.
 */
export class PluginHookExecutionError extends OpenClawError {
  static override readonly code = "HOOK_EXECUTION";
  declare readonly code: HookFailureCode;
  readonly pluginId: string;
  readonly hookName: string;
  readonly registrationId: string;
  /** The failure mode of the registration for this kind of failure. */
  readonly mode: FailureMode;
  /** Number of calls of the handler in this dispatch. */
  readonly attempts: number;
  /** Deadline of the call in ms, where one applied. */
  readonly timeoutMs: number | undefined;
  /**
   * Duration of the call, in ms; in steps of the deadline tick unless the dispatch was recorded.
   */
  readonly durationMs: number;
  /** The other failures of a concurrent dispatch, in handler order (HOOK-031). */
  errors: readonly PluginHookExecutionError[] = [];

  constructor(options: PluginHookExecutionErrorOptions) {
    super(
      `Plugin "${options.pluginId}", hook "${options.hookName}" (registration ${options.registrationId}): ` +
        `${options.detail}. ${NEXT_STEP[options.code]}`,
      { code: options.code, kind: KIND[options.code], cause: options.cause },
    );
    this.pluginId = options.pluginId;
    this.hookName = options.hookName;
    this.registrationId = options.registrationId;
    this.mode = options.mode;
    this.attempts = options.attempts;
    this.timeoutMs = options.timeoutMs;
    this.durationMs = options.durationMs;
  }
}

/** A hook definition contradicts itself or names something that does not exist (HOOK-002). */
export class HookDefinitionError extends OpenClawError {
  static override readonly code = "HOOK_DEFINITION";
  static override readonly kind = "internal";
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
}

export interface HookOptionErrorOptions {
  readonly owner: string;
  readonly hook: string;
  readonly option: string;
  readonly value: unknown;
  readonly allowed: string;
}

/** A registration option has the wrong type or is out of range; nothing was registered (HOOK-004). */
export class HookOptionError extends OpenClawError {
  static override readonly code = "HOOK_OPTION";
  static override readonly kind = "invalid";
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
}

/** A hook name is not among the definitions (HOOK-006). */
export class UnknownHookError extends OpenClawError {
  static override readonly code = "HOOK_UNKNOWN";
  static override readonly kind = "not-found";
  readonly hook: string;
  /** Owner that registered it; absent when it was dispatched. */
  readonly owner: string | undefined;
  /** Known names with similar spelling, nearest first; at most three. */
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
}

export type HookUsageCode =
  | "HOOK_WRONG_KIND"
  | "HOOK_PIN_RELEASED"
  | "HOOK_TRANSACTION"
  | "HOOK_ARGUMENT";

/** The runner itself was used incorrectly. */
export class HookUsageError extends OpenClawError {
  static override readonly code = "HOOK_USAGE";
  static override readonly kind = "internal";
  declare readonly code: HookUsageCode;

  constructor(code: HookUsageCode, message: string) {
    super(message, { code });
  }
}

/** Returns a short description of a value for messages, without running code of the value. */
export function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > 60 ? `${startOfText(value, 60)}…` : value);
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
