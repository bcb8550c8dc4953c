import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Why a core tool refused a call; clients may branch on it, models read the sentence. */
export type RefusalReason =
  | "outside-workspace"
  | "sensitive-path"
  | "not-found"
  | "wrong-kind"
  | "unreadable"
  | "too-large"
  | "no-match"
  | "ambiguous"
  | "changed-meanwhile"
  | "invalid-value"
  | "forbidden-variable"
  | "forbidden-address"
  | "leaks-secret"
  | "not-running"
  | "no-sandbox"
  | "request-failed"
  | "refused"
  | "too-many"
  | "system";

/**
 * A core tool declined a call, or could not do it, for a reason the caller can act on. The message
 * is the sentence a model reads: what was asked, what is wrong, what to do next.
 */
export class ToolRefusalError extends OpenClawError {
  static override readonly code = "TOOL_REFUSAL";
  static override readonly kind = "invalid";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/** The options the core tools were created with cannot be used as they are. */
export class CoreToolOptionsError extends OpenClawError {
  static override readonly code = "CORE_TOOL_OPTIONS";
  static override readonly kind = "configuration";
  /** Name of the option at fault, for example `allowHosts`. */
  readonly option: string;

  constructor(option: string, problem: string) {
    super(`core tools: option ${option} ${problem}`);
    this.option = option;
  }
}
