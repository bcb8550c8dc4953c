import type { AttachmentMeta, Origin, ReplyPayload } from "../message/attachment.js";
import type { MessageContext } from "./context.js";

type Metadata = Record<string, unknown>;
type DeliveryKind = "final" | "block" | "tool";

/** Summary of the message that a reply answers, for delivery hooks. */
export interface InboundSummary {
  channel: string;
  from?: string;
  body?: string;
  messageId?: string;
  senderId?: string;
  threadId?: string | number;
  isGroup?: boolean;
}

/** Sends chunks of a reply instead of the host; each chunk still passes the outbound hooks. */
export interface ReplyDispatcher {
  sendFinal(payload: ReplyPayload): Promise<void>;
  sendBlock(payload: ReplyPayload): Promise<void>;
  sendTool(payload: ReplyPayload): Promise<void>;
  readonly counts: Readonly<Record<DeliveryKind, number>>;
}

/** Hooks for inbound and outbound messages. */
export interface MessageHooks {
  /** Fires once per audio attachment without a transcript. */
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
  /** Fires before observers, the command parser and the router receive the text. */
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
  /** Fires with the accepted message; handlers can neither delay nor change it. */
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
  /** The first handler that returns `handled: true` takes the message; no agent runs. */
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
  /** Fires exactly once per inbound message, when its outcome is committed. */
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
  /** Fires once per dispatch, before the reply is passed to the channel. */
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
  /** Fires once per reply; the first handler that returns `handled: true` has delivered it. */
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
  /** Fires for every outgoing message, on every path to a channel. */
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
  /** Fires once per delivery outcome. */
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
  /** Fires once, when the last delivery attempt failed. */
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
