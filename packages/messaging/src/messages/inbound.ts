import type { TurnEvent } from "@openclaw/agent";
import type { AttachmentMeta, ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { ApprovalSummary } from "@openclaw/protocol";

/** A message as a surface hands it over. */
export interface InboundMessage {
  /** Surface, for example `terminal` or `api`. */
  readonly channel: string;
  /** Account of the surface that received it; `default` when absent. */
  readonly accountId?: string;
  readonly conversationId: string;
  /** Thread or topic within the conversation. */
  readonly threadId?: string;
  /** The group or room it was written in; a direct message has none. */
  readonly room?: Room;
  readonly senderId: string;
  /** What the surface calls the sender. */
  readonly userName?: string;
  /** True for the operator: the local terminal, and the holder of the gateway's token. */
  readonly senderIsOwner: boolean;
  readonly text: string;
  readonly attachments?: readonly AttachmentMeta[];
  /** What else the surface tells of it. */
  readonly metadata?: JsonObject;
  /** Session it belongs to; the route says when absent (TURN-008). */
  readonly sessionKey?: string;
  /** Agent it is for; the route says when absent. */
  readonly agentId?: string;
  /** The surface's own id of it; a repeat is taken in once (TURN-002). */
  readonly externalMessageId?: string;
  /** The caller's own id of it; a repeat is taken in once (TURN-002). */
  readonly idempotencyKey?: string;
  /** `provider/model` for this turn instead of the agent's. */
  readonly model?: string;
  /** Appended to the system prompt for this turn. */
  readonly extraInstructions?: string;
  /** Takes the place of the stored history for this turn. */
  readonly history?: readonly AgentMessage[];
}

/** Where several people read what is written. */
export interface Room {
  readonly kind: "group" | "channel";
  readonly id: string;
}

/** Who waits for a message's reply. */
export interface Caller {
  /** Aborts the turn when the caller has gone. */
  readonly signal?: AbortSignal;
  /** Takes the reply; where it is absent the reply is only in the outcome. */
  readonly surface?: ReplySurface;
  /** True for the caller of an earlier process: nobody looks at the outcome. */
  readonly hasGone?: boolean;
  /**
   * Called once the message is stored, from when on it may be acknowledged; not for a repeat.
   * @param messageId - id of its row in the inbox
   */
  onStored?(messageId: string): void;
  onEvent?(event: TurnEvent): void;
  /**
   * Shows a question of the session to a person who can answer it: once it is stored, and again once it is
   * settled. Where it is absent, and no surface either, nobody can be asked.
   * @param approval - the question as it stands
   */
  onApproval?(approval: ApprovalSummary): void;
  /**
   * Tells what the sender should know before the reply comes.
   * @param text - in a sentence or two
   */
  onNotice?(text: string): void;
}

/** Where replies are shown. */
export interface ReplySurface {
  /** Most characters of one message; a longer reply goes out in parts. */
  readonly textLimit?: number;
  /**
   * Of a surface that outlives the process: whether a message that it is given again under one key is
   * shown once. Where it is not, a message that was being sent when the process ended is not sent again,
   * since nobody knows whether it went out.
   */
  readonly deduplicates?: boolean;
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
