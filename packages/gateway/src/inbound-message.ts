import type { Approver, TurnEvent } from "@openclaw/agent";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";

/** A message as a surface hands it over. */
export interface InboundMessage {
  /** Surface: `terminal` or `api`. */
  readonly channel: string;
  readonly conversationId: string;
  readonly senderId: string;
  /** True for the operator: the local terminal, and the holder of the gateway's token. */
  readonly senderIsOwner: boolean;
  readonly text: string;
  /** Session it belongs to. */
  readonly sessionKey: string;
  readonly agentId: string;
  /** The surface's own id of it; a repeat is taken in once (TURN-002). */
  readonly externalMessageId?: string;
  /** The caller's own id of it; a repeat is taken in once (TURN-002). */
  readonly idempotencyKey?: string;
  /** `provider/model` for this turn instead of the host's. */
  readonly model?: string;
  /** Appended to the system prompt for this turn. */
  readonly extraInstructions?: string;
  /** Takes the place of the stored history for this turn. */
  readonly history?: readonly AgentMessage[];
}

/** Who waits for a message's reply. */
export interface Caller {
  /** Who can be asked for approval; undefined where nobody can. */
  readonly approver?: Approver;
  /** Aborts the turn when the caller has gone. */
  readonly signal?: AbortSignal;
  /**
   * Called once the message is stored, from when on it may be acknowledged; not for a repeat.
   * @param messageId - id of its row in the inbox
   */
  onStored?(messageId: string): void;
  onEvent?(event: TurnEvent): void;
}

/** What became of a message, for the caller that waited. */
export type ReplyOutcome =
  | {
      status: "replied";
      messageId: string;
      runId: string;
      text: string;
      stopReason: string;
      usage: ReplyUsage;
    }
  /** A plugin answered, or took the message without an answer. */
  | { status: "answered"; messageId: string; text: string }
  /** A plugin refused the message, the run or the reply. */
  | { status: "withheld"; messageId: string; text: string; reason: string }
  | { status: "interrupted"; messageId: string; runId: string }
  | {
      status: "failed";
      messageId: string;
      /** Absent when it failed before it became a turn. */
      runId?: string;
      error: { code: string; message: string; retryable: boolean };
    }
  /** The same message was taken in before. */
  | { status: "duplicate"; messageId: string };

/** Tokens that a reply took. */
export interface ReplyUsage {
  input?: number;
  output?: number;
  total?: number;
}
