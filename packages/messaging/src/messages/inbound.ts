import type { ClientCall, ClientRequest, TurnEvent } from "@openclaw/agent";
import type { ChannelButton, StatusUpdate } from "@openclaw/plugin-sdk/channel-core";
import type { AttachmentMeta, ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { ApprovalSummary } from "@openclaw/protocol";

/** Message from a surface. */
export interface InboundMessage {
  /** Surface, for example `terminal` or `api`. */
  readonly channel: string;
  /** Account of the surface that received it; `default` when absent. */
  readonly accountId?: string | undefined;
  readonly conversationId: string;
  /** Thread or topic within the conversation. */
  readonly threadId?: string | undefined;
  /** Group or room in which it was written; absent for a direct message. */
  readonly room?: Room | undefined;
  readonly senderId: string;
  /** Display name of the sender on the surface. */
  readonly userName?: string | undefined;
  /** True for the operator: the local terminal, and the holder of the gateway's token. */
  readonly senderIsOwner: boolean;
  readonly text: string;
  /** Text without the notes that the host adds for attachments; absent when it equals the text (HCR-019). */
  readonly cleanText?: string | undefined;
  /** Text of attached audio. */
  readonly transcript?: string | undefined;
  readonly attachments?: readonly AttachmentMeta[] | undefined;
  /** Further data from the surface. */
  readonly metadata?: JsonObject | undefined;
  /** Time at which the surface received it, in milliseconds since the epoch; that of the inbox when absent. */
  readonly receivedAt?: number | undefined;
  /**
   * Set for a message of a channel of a plugin, whose policies decide about its sender. `isMention`: a message in a
   * room is for the bot.
   */
  readonly ofChannel?: { readonly isMention: boolean } | undefined;
  /** Album that it is a part of; parts that arrive during its turn belong to that turn. */
  readonly albumId?: string | undefined;
  /** Session of the message; chosen by routing when absent (TURN-008). */
  readonly sessionKey?: string | undefined;
  /** Agent for the message; chosen by routing when absent. */
  readonly agentId?: string | undefined;
  /** ID that the surface gave the message; a repeat is accepted only once (TURN-002). */
  readonly externalMessageId?: string | undefined;
  /** ID that the caller gave the message; a repeat is accepted only once (TURN-002). */
  readonly idempotencyKey?: string | undefined;
  /** SHA-256 of the request that has the idempotency key; a repeat must have the same (GW-022). */
  readonly requestDigest?: string | undefined;
  /** Model for this turn, as `provider/model`; overrides the agent's. */
  readonly model?: string | undefined;
  /** Text appended to the system prompt of this turn. */
  readonly extraInstructions?: string | undefined;
  /** Replaces the stored history for this turn. */
  readonly history?: readonly AgentMessage[] | undefined;
  /** Tools of the client, their results, images, files and model settings for this turn (GW-036). */
  readonly client?: ClientRequest | undefined;
  /** Run whose recorded steps its turn begins with (TURN-502). */
  readonly forkedFrom?: string | undefined;
  /** Input that its command waits for; only in a message that an earlier process stored. */
  readonly awaitedInput?: JsonObject | undefined;
}

/** Group or channel whose members read each other's messages. */
export interface Room {
  readonly kind: "group" | "channel";
  readonly id: string;
}

/** Request to the sender of a message, or the end of one, in the form for channels (CHAN-005). */
export type RequestStatus = Extract<
  StatusUpdate,
  { readonly kind: "approval_needed" | "auth_required" | "auth_completed" }
>;

/** A job that a conversation asked for, in the form for channels (CHAN-005). */
export type JobStatus = Extract<StatusUpdate, { readonly kind: "job_started" }>;

/** Receiver of a message's reply. */
export interface Caller {
  /** Signal that interrupts the turn, for example when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Shows the reply; without it, the reply is only in the outcome. */
  readonly surface?: ReplySurface | undefined;
  /** True for the caller of an earlier process, which no longer reads the outcome. */
  readonly hasGone?: boolean | undefined;
  /**
   * Called once the message is stored and may be acknowledged; not called for a repeat.
   * @param messageId - ID of its row in the inbox
   */
  onStored?(messageId: string): void;
  /**
   * Called once the message is a turn of its session, or part of one; before `onStored` when both are stored
   * together.
   * @param runId - ID of the turn
   */
  onQueued?(runId: string): void;
  onEvent?(event: TurnEvent): void;
  /**
   * Shows an approval request of the session to an approver: once it is stored, and again once it is settled.
   * Without it and without a surface there is no approver.
   * @param approval - the request in its current state
   */
  readonly onApproval?: ((approval: ApprovalSummary) => void) | undefined;
  /**
   * Shows a notice to the sender before the reply.
   * @param text - one or two sentences
   */
  onNotice?(text: string): void;
  /**
   * Shows that the message needs an approval or a credential, in addition to the message that asks for it.
   * @param status - the request, or its end
   */
  onRequest?(status: RequestStatus): void;
  /** Shows that the message, or the turn that answers it, asked for a job. */
  onJobStarted?(status: JobStatus): void;
}

/** Message that a surface shows. */
export interface SurfaceMessage extends ReplyPayload {
  /** Rows of buttons, for a surface that {@link ReplySurface.hasButtons}. */
  readonly buttons?: readonly (readonly ChannelButton[])[];
}

/** Identity of a message that a surface shows. */
export interface SurfaceDelivery {
  /** Identifies a repeat. */
  readonly idempotencyKey: string;
  /** ID of the turn whose reply it is part of. */
  readonly runId?: string | undefined;
  /** Number of the part within the reply, from 0. */
  readonly part?: number | undefined;
}

/** Surface that shows replies. */
export interface ReplySurface {
  /** Maximum number of characters of one message; a longer reply is sent in chunks. */
  readonly textLimit?: number | undefined;
  /**
   * For a surface that outlives the process: true when it shows a message only once if it receives the
   * message twice with the same key. Without that guarantee, a message that was being sent when the process
   * ended is not sent again, because it may already have been shown.
   */
  readonly deduplicates?: boolean | undefined;
  /** Form in which it shows audio; absent for a surface that cannot. */
  readonly audio?: "voice" | "file" | undefined;
  /** True when messages can have buttons. */
  readonly hasButtons?: boolean | undefined;
  /**
   * Shows one message.
   * @param payload - content to show
   * @param delivery - identity of the message
   * @returns ID that the surface gave the message, if any
   */
  send(payload: SurfaceMessage, delivery: SurfaceDelivery): Promise<{ messageId?: string }>;
  /**
   * Replaces the content of a shown message.
   * @param messageId - ID that the surface gave the message
   * @param payload - new content
   * @returns false when the surface cannot change messages
   */
  edit?(messageId: string, payload: SurfaceMessage): Promise<boolean>;
}

/** Outcome of a message, for the caller that waited. */
export type ReplyOutcome =
  | {
      status: "replied";
      messageId: string;
      runId: string;
      text: string;
      /** The parts of `text`, for a reply with several: one of each model call (TURN-201). */
      parts?: readonly string[];
      stopReason: string;
      /** Stop sequence of the request at which the reply ended; absent when the provider does not tell. */
      stopSequence?: string;
      usage: ReplyUsage;
      /** Reasoning of the model; absent when it gave none. */
      reasoning?: string;
      /** Calls that the caller has to run, with the stop reason `client-tools`. */
      clientCalls?: readonly ClientCall[];
      /** Tools of which a call was denied because no approver decided about it; absent when there is none (TURN-460). */
      unapprovedTools?: readonly string[];
      /** Tools of which an approver denied a call; absent when there is none. */
      deniedTools?: readonly string[];
    }
  /** A plugin or the host answered, or a plugin handled the message without an answer. */
  | { status: "answered"; messageId: string; text: string }
  /** A plugin cancelled the message, the run or the reply. */
  | {
      status: "withheld";
      messageId: string;
      /** Absent when the message did not become a turn. */
      runId?: string;
      text: string;
      reason: string;
    }
  | { status: "interrupted"; messageId: string; runId: string }
  | {
      status: "failed";
      messageId: string;
      /** Absent when the message failed before it became a turn. */
      runId?: string;
      error: {
        code: string;
        message: string;
        retryable: boolean;
        /** HTTP status of the provider's response, when a model failed with one. */
        providerStatus?: number;
        /** Milliseconds that the provider asks to wait. */
        retryAfterMs?: number;
      };
    }
  /** The same message was already accepted. */
  | { status: "duplicate"; messageId: string };

/** Tokens that a reply used. */
export interface ReplyUsage {
  input?: number;
  output?: number;
  /** Part of the input that the provider read from its cache. */
  cacheRead?: number;
  /** Part of the input that the provider wrote to its cache. */
  cacheWrite?: number;
  /** Part of the output that the model used for reasoning. */
  reasoning?: number;
  total?: number;
  /** Cost of the model calls. */
  cost?: { usd: string; estimated: boolean };
}
