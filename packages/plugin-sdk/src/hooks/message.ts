import type { AttachmentMeta, Origin, ReplyPayload } from "../message/attachment.js";
import type { MessageContext } from "./context.js";

type Metadata = Record<string, unknown>;
type DeliveryKind = "final" | "block" | "tool";

/** What a reply answers, as delivery hooks see it. */
export interface InboundSummary {
  channel: string;
  from?: string;
  body?: string;
  messageId?: string;
  senderId?: string;
  threadId?: string | number;
  isGroup?: boolean;
}

/** Sends parts of a reply in place of the host; each still passes the outbound hooks. */
export interface ReplyDispatcher {
  sendFinal(payload: ReplyPayload): Promise<void>;
  sendBlock(payload: ReplyPayload): Promise<void>;
  sendTool(payload: ReplyPayload): Promise<void>;
  readonly counts: Readonly<Record<DeliveryKind, number>>;
}

/** Hooks about messages coming in and going out. */
export interface MessageHooks {
  /** Once per audio attachment without a transcript. */
  transcribe_audio: {
    kind: "claim";
    event: {
      audio: {
        path?: string;
        mimeType: string;
        bytes: number;
        durationMs?: number;
        read(): Promise<Uint8Array>;
      };
      channel: string;
      language?: string;
      attachmentIndex: number;
    };
    context: MessageContext;
    result: {
      handled: boolean;
      text?: string;
      language?: string;
      confidence?: number;
      provider?: string;
    };
  };
  /** Before any observer, command parser or router sees the text. */
  message_receiving: {
    kind: "decide";
    event: {
      content: string;
      from: string;
      channel: string;
      senderId?: string;
      threadId?: string | number;
      messageId?: string;
      replyToId?: string;
      timestamp?: number;
      isGroup: boolean;
      wasMentioned?: boolean;
      attachments?: AttachmentMeta[];
      metadata?: Metadata;
    };
    context: MessageContext;
    result: {
      content?: string;
      cancel?: boolean;
      cancelReason?: string;
      reply?: string;
      metadata?: Metadata;
    };
  };
  /** The message as accepted; it can be neither delayed nor altered here. */
  message_received: {
    kind: "observe";
    event: {
      from: string;
      content: string;
      BodyForAgent?: string;
      timestamp?: number;
      threadId?: string | number;
      replyToId?: string;
      messageId?: string;
      senderId?: string;
      sessionKey?: string;
      runId?: string;
      media?: AttachmentMeta[];
      metadata?: Metadata;
    };
    context: MessageContext;
    result: undefined;
  };
  /** The first handler that answers `handled: true` takes the message; no agent runs. */
  inbound_claim: {
    kind: "claim";
    event: {
      content: string;
      body?: string;
      bodyForAgent?: string;
      transcript?: string;
      channel: string;
      senderId?: string;
      senderName?: string;
      senderUsername?: string;
      threadId?: string | number;
      messageId?: string;
      timestamp?: number;
      isGroup: boolean;
      commandAuthorized?: boolean;
      wasMentioned?: boolean;
      media?: AttachmentMeta[];
      metadata?: Metadata;
    };
    context: MessageContext & {
      readonly pluginBinding?: { pluginId: string; bindingId: string; data?: unknown };
    };
    result: { handled: boolean; reply?: ReplyPayload };
  };
  /** Exactly once per inbound message, when its outcome is committed. */
  request_post: {
    kind: "observe";
    event: {
      outcome: "queued" | "answered" | "claimed" | "cancelled" | "failed";
      messageId: string;
      answeredBy?: "command" | "control" | "approval" | "notice" | "credential";
      route?: Origin & { agentId: string };
      sessionKey?: string;
      sessionId?: string;
      runId?: string;
      durationMs: number;
      error?: string;
      content?: string;
    };
    context: MessageContext;
    result: undefined;
  };
  /** Once per dispatch, before the hand-off to the channel. */
  before_dispatch: {
    kind: "decide";
    event: {
      content: string;
      kind: DeliveryKind;
      body?: string;
      channel: string;
      to: string;
      sessionKey?: string;
      senderId?: string;
      isGroup?: boolean;
      replyToId?: string;
      threadId?: string | number;
      payload: ReplyPayload;
      timestamp: number;
    };
    context: MessageContext;
    result: {
      content?: string;
      payload?: ReplyPayload;
      cancel?: boolean;
      cancelReason?: string;
      handled?: boolean;
      text?: string;
    };
  };
  /** Once per reply; the first handler that answers `handled: true` delivers it. */
  reply_dispatch: {
    kind: "claim";
    event: {
      ctx: InboundSummary;
      payloads: ReplyPayload[];
      sendPolicy: "allow" | "deny";
      shouldRouteToOriginating: boolean;
      originatingChannel?: string;
      originatingTo?: string;
      images?: AttachmentMeta[];
      inboundAudio: boolean;
      suppressUserDelivery?: boolean;
      isTailDispatch?: boolean;
    };
    context: MessageContext & {
      readonly dispatcher?: ReplyDispatcher;
      readonly abortSignal?: AbortSignal;
      onReplyStart?(): void;
      recordProcessed?(outcome: string, options?: Metadata): void;
      markIdle?(reason: string): void;
    };
    result: { handled: boolean; queuedFinal?: boolean; counts?: Record<DeliveryKind, number> };
  };
  /** Every outgoing message, on every path that reaches a channel. */
  message_sending: {
    kind: "decide";
    event: {
      to: string;
      content: string;
      channel: string;
      replyToId?: string;
      threadId?: string | number;
      metadata?: Metadata;
    };
    context: MessageContext;
    result: { content?: string; cancel?: boolean; cancelReason?: string; metadata?: Metadata };
  };
  /** Once per delivery outcome. */
  message_sent: {
    kind: "observe";
    event: {
      to: string;
      content: string;
      success: boolean;
      channel: string;
      messageId?: string;
      error?: string;
      attempts: number;
      sessionKey?: string;
      runId?: string;
    };
    context: MessageContext;
    result: undefined;
  };
  /** Once, when the last attempt to deliver failed. */
  response_error: {
    kind: "observe";
    event: {
      to: string;
      channel: string;
      content: string;
      error: { code: string; message: string };
      attempts: number;
    };
    context: MessageContext;
    result: undefined;
  };
}
