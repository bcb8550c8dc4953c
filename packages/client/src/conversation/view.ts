import type { ApprovalSummary } from "@openclaw/protocol";

/** Values for a request for input, by the names of its fields. */
export type InputOfUser = Record<string, string | number | boolean | string[]>;

/** Decision of a person on an approval request. */
export type Decision = "allow-once" | "allow-always" | "deny";

/** Decision on an approval request, with the reach of "always". */
export interface DecisionOfUser {
  readonly decision: Decision;
  /** Scope of the grant; only with `allow-always`. */
  readonly scope?: "session" | "agent" | "global" | undefined;
  /** First words of the commands to allow; only with `allow-always`. */
  readonly prefix?: string | undefined;
  /** Values for a request for input; only with `allow-once`. */
  readonly input?: InputOfUser | undefined;
}

/** State of a message that the user sent: its turn has not begun, or it is added to the running one or ends that. */
export type PendingState = "waiting" | "queued" | "steering" | "interrupting";

/** Message that was sent and has no reply yet. */
export interface PendingMessage {
  readonly text: string;
  readonly state: PendingState;
  /** True when the gateway has stored it. */
  readonly isStored?: boolean | undefined;
  /** Bytes of its files that are being sent; absent without files, and once it is stored. */
  readonly uploadBytes?: number | undefined;
}

/** Call of a tool on the screen; it is updated in place. */
export interface ToolView {
  /**
   * Shows the latest output of the running tool; it replaces the earlier one.
   * @param text - output so far, or its end
   */
  output(text: string): void;
  /**
   * Shows the result.
   * @param result - outcome, one line of the result, and duration in milliseconds
   */
  finish(result: {
    readonly isOk: boolean;
    readonly preview: string;
    readonly durationMs: number;
    /** Why the tool did not run to its end. */
    readonly failure?: "refused" | "timed-out" | "interrupted" | "outcome-unknown" | undefined;
    /** Rule that denied the call. */
    readonly rule?: string | undefined;
    /** Details as the tool returned them. */
    readonly details?: unknown;
  }): void;
}

/** Reply on the screen while it streams. */
export interface ReplyView {
  /**
   * Replaces the Markdown of the last paragraph group.
   * @param markdown - text so far
   */
  setText(markdown: string): void;
  /** Starts a new paragraph group below what is shown. */
  startText(markdown: string): void;
  /**
   * Adds a tool call below what is shown.
   * @param name - name of the tool
   * @param params - parameters, without secrets
   * @param toolCallId - identifies the call in the history
   */
  tool(name: string, params: unknown, toolCallId: string): ToolView;
}

/** Approval request on the screen. */
export interface ApprovalView {
  /**
   * Shows that the request was decided elsewhere; input does not reach the editor until the user confirms it.
   * @param outcome - one sentence
   */
  settle(outcome: string): void;
  /** Removes the request. */
  remove(): void;
  /** Lets the user decide again, because the decision was not accepted. */
  retry(): void;
}

/** Screen of a conversation: a terminal, or a page. */
export interface ConversationView {
  /**
   * Adds a message to the conversation.
   * @param text - message text
   * @param author - `you`, or where it came from
   */
  message(text: string, author: string): void;
  /** Adds a reply to the conversation. */
  reply(): ReplyView;
  /**
   * Adds a line to the conversation.
   * @param line - plain text
   * @param tone - importance
   */
  note(line: string, tone: "info" | "error"): void;
  /**
   * Puts text into the editor, before the draft.
   * @param text - text that could not be sent
   */
  restoreDraft(text: string): void;
  /**
   * Shows an approval request, and lets the user decide it.
   * @param approval - pending request
   * @param decide - receives the decision
   */
  approval(approval: ApprovalSummary, decide: (decision: DecisionOfUser) => void): ApprovalView;
}
