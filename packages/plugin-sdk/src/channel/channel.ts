import type { Logger } from "../logger.js";
import type { AttachmentMeta } from "../message/attachment.js";
import type { JsonValue } from "../schema/json.js";

/** Message that a channel yields (CHAN-003). */
export interface IncomingMessage {
  /** UUID; the same message yielded twice has the same UUID. */
  readonly id: string;
  /** Name of the channel. */
  readonly channel: string;
  readonly userId: string;
  readonly userName?: string;
  readonly content: string;
  readonly threadId?: string;
  /** Time at which the channel received the message. */
  readonly receivedAt: Date;
  readonly metadata?: JsonValue;
  readonly attachments?: readonly AttachmentMeta[];
}

/** Reply to send through a channel (CHAN-004). */
export interface OutgoingResponse {
  readonly content: string;
  readonly threadId?: string;
  readonly metadata?: JsonValue;
  readonly attachments?: readonly AttachmentMeta[];
}

/** Progress of the host's work on a message (CHAN-005). */
export type StatusUpdate =
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "tool_started"; readonly name: string }
  | { readonly kind: "tool_completed"; readonly name: string; readonly success: boolean }
  | { readonly kind: "tool_result"; readonly name: string; readonly preview: string }
  | { readonly kind: "stream_chunk"; readonly text: string }
  | { readonly kind: "status"; readonly text: string }
  | {
      readonly kind: "job_started";
      readonly jobId: string;
      readonly title: string;
      readonly url: string;
    }
  | {
      readonly kind: "approval_needed";
      readonly requestId: string;
      readonly tool: string;
      readonly description: string;
      readonly parameters: JsonValue;
    }
  | {
      readonly kind: "auth_required";
      readonly extension: string;
      readonly instructions?: string;
      readonly authUrl?: string;
      readonly setupUrl?: string;
    }
  | {
      readonly kind: "auth_completed";
      readonly extension: string;
      readonly success: boolean;
      readonly message: string;
    };

/** Signal, configuration and logger of a running channel. */
export interface ChannelContext {
  /** Aborts when the channel must stop; its stream must then end within 2 seconds (CHAN-002). */
  readonly signal: AbortSignal;
  /** Section of the configuration for this channel. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
}

/** Messaging surface, such as a chat network (CHAN-001). */
export interface Channel {
  /** Name of the channel in the configuration and in session keys, in lower case. */
  readonly name: string;
  /**
   * Starts receiving messages.
   * @param context - signal, configuration and logger
   * @returns the messages, until the signal aborts
   */
  start(context: ChannelContext): AsyncIterable<IncomingMessage>;
  /**
   * Sends a reply.
   * @param message - the message to reply to
   * @param response - the reply
   */
  respond(message: IncomingMessage, response: OutgoingResponse): Promise<void>;
  /**
   * Shows progress of the host's work on a message.
   * @param status - for example the start of a tool
   * @param metadata - metadata of that message
   */
  sendStatus?(status: StatusUpdate, metadata: JsonValue): Promise<void>;
  /**
   * Sends a message that is not a reply.
   * @param userId - id of the recipient
   * @param response - text and attachments
   */
  broadcast?(userId: string, response: OutgoingResponse): Promise<void>;
  /** Resolves when the channel works and rejects when it does not. */
  healthCheck?(): Promise<void>;
  /** Closes connections and releases resources. */
  shutdown?(): Promise<void>;
}

/** Channel in the form of plugins from 2026: an object with an `id` and adapters. */
export interface AdapterChannel {
  readonly id: string;
  readonly [adapter: string]: unknown;
}

/** Argument of `api.registerChannel` (PLUG-035). */
export type ChannelRegistration =
  | Channel
  | AdapterChannel
  | { readonly plugin: Channel | AdapterChannel };
