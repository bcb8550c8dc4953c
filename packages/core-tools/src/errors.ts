import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Reason why a core tool rejected a call, for clients; models read the message. */
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
 * A core tool rejected a call, or failed to complete it, for a reason that the caller can act on. Models
 * read the message: it states the request, the problem and the next step.
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

/** The options of the core tools are invalid. */
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
