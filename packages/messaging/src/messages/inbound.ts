import type { TurnEvent } from "@openclaw/agent";
import type { AttachmentMeta, ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { ApprovalSummary } from "@openclaw/protocol";

/** A message as a surface hands it over. */
export interface InboundMessage {
  /** Surface, for example `terminal` or `api`. */
  readonly channel: string;
  /** Account of the surface that received it; `default` when absent. */
  readonly accountId?: string | undefined;
  readonly conversationId: string;
  /** Thread or topic within the conversation. */
  readonly threadId?: string | undefined;
  /** The group or room it was written in; a direct message has none. */
  readonly room?: Room | undefined;
  readonly senderId: string;
  /** What the surface calls the sender. */
  readonly userName?: string | undefined;
  /** True for the operator: the local terminal, and the holder of the gateway's token. */
  readonly senderIsOwner: boolean;
  readonly text: string;
  readonly attachments?: readonly AttachmentMeta[] | undefined;
  /** What else the surface tells of it. */
  readonly metadata?: JsonObject | undefined;
  /** Session it belongs to; the route says when absent (TURN-008). */
  readonly sessionKey?: string | undefined;
  /** Agent it is for; the route says when absent. */
  readonly agentId?: string | undefined;
  /** The surface's own id of it; a repeat is taken in once (TURN-002). */
  readonly externalMessageId?: string | undefined;
  /** The caller's own id of it; a repeat is taken in once (TURN-002). */
  readonly idempotencyKey?: string | undefined;
  /** `provider/model` for this turn instead of the agent's. */
  readonly model?: string | undefined;
  /** Appended to the system prompt for this turn. */
  readonly extraInstructions?: string | undefined;
  /** Takes the place of the stored history for this turn. */
  readonly history?: readonly AgentMessage[] | undefined;
}

/** Where several people read what is written. */
export interface Room {
  readonly kind: "group" | "channel";
  readonly id: string;
}

/** Receiver of a message's reply. */
export interface Caller {
  /** Aborts the turn when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
  /** Shows the reply; without it the reply is only in the outcome. */
  readonly surface?: ReplySurface | undefined;
  /** True for the caller of an earlier process, which no longer reads the outcome. */
  readonly hasGone?: boolean | undefined;
  /**
   * Called once the message is stored and may be acknowledged; not called for a repeat.
   * @param messageId - id of its row in the inbox
   */
  onStored?(messageId: string): void;
  onEvent?(event: TurnEvent): void;
  /**
   * Shows an approval request of the session to an approver: once it is stored, and again once it is
   * settled. Without it and without a surface there is no approver.
   * @param approval - the request in its current state
   */
  readonly onApproval?: ((approval: ApprovalSummary) => void) | undefined;
  /**
   * Shows a notice to the sender before the reply.
   * @param text - one or two sentences
   */
  onNotice?(text: string): void;
}

/** Where replies are shown. */
export interface ReplySurface {
  /** Maximum number of characters of one message; a longer reply is sent in chunks. */
  readonly textLimit?: number | undefined;
  /**
   * For a surface that outlives the process: whether it shows a message once that it receives twice with
   * the same key. Without that guarantee a message that was being sent when the process ended is not sent
   * again, because it may have been shown.
   */
  readonly deduplicates?: boolean | undefined;
  /**
   * Shows one message.
   * @param payload - what to show
   * @param delivery - the key of the message, by which a repeat is known
   * @returns the surface's id of it, if it has one
   */
  send(
    payload: ReplyPayload,
    delivery: { readonly idempotencyKey: string },
  ): Promise<{ messageId?: string }>;
}

/** Outcome of a message, for the caller that waited. */
export type ReplyOutcome =
  | {
      status: "replied";
      messageId: string;
      runId: string;
      text: string;
      stopReason: string;
      usage: ReplyUsage;
    }
  /** A plugin or the host answered, or a plugin took the message without an answer. */
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
