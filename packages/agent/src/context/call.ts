import type { JsonValue, ToolResultMessage } from "@openclaw/plugin-sdk/tools";

/** A tool call as the model requested it. */
export interface RequestedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly params: JsonValue;
}

/** A note of a plugin for the model, added to the answer of a call (D12). */
export interface Guidance {
  readonly pluginId: string;
  readonly text: string;
}

/** The answer to a call, ready for the transcript. */
export interface AnsweredCall {
  readonly message: ToolResultMessage;
  /** True when the host made the answer and the tool did not run to its end. */
  readonly isSynthetic: boolean;
  /** True ends the model loop after this batch. */
  readonly terminate: boolean;
  /** Set when the call was returned to be reconsidered; names it. */
  readonly reconsidered?: string | undefined;
  /** Decision that the call does not run; absent for a call that ran, or that was not valid. */
  readonly refusal?: AnsweredRefusal | undefined;
}

/** Decision that a call does not run. */
export interface AnsweredRefusal {
  readonly kind: "denied" | "reconsider";
  /** For example `policy:agent`, `plugin:guard` or `approval`. */
  readonly decider: string;
  /** ID of the policy decision. */
  readonly decisionId?: string | undefined;
}
