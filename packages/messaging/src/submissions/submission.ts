import type { ApprovalResponse, ExecApproval } from "../approvals/approval-words.js";

/** Text of a message, classified by {@link parseSubmission}. */
export type Submission =
  /** Text for the router and the agent, untrimmed. */
  | { readonly kind: "UserInput"; readonly content: string }
  | ControlSubmission
  | SystemCommand
  | SwitchThread
  | Resume
  | ApprovalResponse
  | ExecApproval;

/** Command without arguments. */
export interface ControlSubmission {
  readonly kind:
    | "Undo"
    | "Redo"
    | "Interrupt"
    | "Compact"
    | "Clear"
    | "Heartbeat"
    | "Summarize"
    | "Suggest"
    | "NewThread"
    | "Quit";
}

/** Command about the host or the session. */
export interface SystemCommand {
  readonly kind: "SystemCommand";
  readonly command: "help" | "version" | "tools" | "ping" | "debug" | "model";
  /** Words after the name, as written. */
  readonly args: readonly string[];
}

/** Continues another conversation. */
export interface SwitchThread {
  readonly kind: "SwitchThread";
  /** UUID in lower case. */
  readonly threadId: string;
}

/** Restores a checkpoint. */
export interface Resume {
  readonly kind: "Resume";
  /** UUID in lower case. */
  readonly checkpointId: string;
}

/** State of the conversation that the parser needs. */
export interface SubmissionContext {
  /** True when an approval request is pending in the conversation (SUB-010). */
  readonly approvalPending: boolean;
}
