import type { Logger } from "../logger.js";
import type { AttachmentMeta } from "../message/attachment.js";
import type { JsonValue } from "../schema/json.js";

/** A message as a channel yields it (CHAN-003). */
export interface IncomingMessage {
  /** A UUID; the same message yielded twice has the same one. */
  readonly id: string;
  /** Name of the channel. */
  readonly channel: string;
  readonly userId: string;
  readonly userName?: string;
  readonly content: string;
  readonly threadId?: string;
  /** When the channel got it. */
  readonly receivedAt: Date;
  readonly metadata?: JsonValue;
  readonly attachments?: readonly AttachmentMeta[];
}

/** An answer on its way out through a channel (CHAN-004). */
export interface OutgoingResponse {
  readonly content: string;
  readonly threadId?: string;
  readonly metadata?: JsonValue;
  readonly attachments?: readonly AttachmentMeta[];
}

/** What a host tells a channel while it works (CHAN-005). */
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

/** What a channel is started with. */
export interface ChannelContext {
  /** Aborts when the channel is to stop; its stream then ends within 2 seconds (CHAN-002). */
  readonly signal: AbortSignal;
  /** The channel's own section of the configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
}

/** A surface that people write on, such as a chat network (CHAN-001). */
export interface Channel {
  /** Lower case; names the channel in configuration and session keys. */
  readonly name: string;
  /**
   * Begins to listen.
   * @param context - signal, configuration and logger
   * @returns the messages, until the signal aborts
   */
  start(context: ChannelContext): AsyncIterable<IncomingMessage>;
  /**
   * Sends an answer.
   * @param message - the message that is answered
   * @param response - the answer
   */
  respond(message: IncomingMessage, response: OutgoingResponse): Promise<void>;
  /**
   * Shows what the host is doing.
   * @param status - for example that a tool was started
   * @param metadata - of the message that is being worked on
   */
  sendStatus?(status: StatusUpdate, metadata: JsonValue): Promise<void>;
  /**
   * Sends something that answers no message.
   * @param userId - whom to
   * @param response - what to send
   */
  broadcast?(userId: string, response: OutgoingResponse): Promise<void>;
  /** Resolves when the channel works, rejects when it does not. */
  healthCheck?(): Promise<void>;
  /** Lets everything go. */
  shutdown?(): Promise<void>;
}

/** A channel as plugins of the 2026 vintages describe it: an object with an `id`, and adapters. */
export interface AdapterChannel {
  readonly id: string;
  readonly [adapter: string]: unknown;
}

/** What `api.registerChannel` accepts (PLUG-035). */
export type ChannelRegistration =
  | Channel
  | AdapterChannel
  | { readonly plugin: Channel | AdapterChannel };
