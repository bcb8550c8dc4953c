import type { Logger } from "../logger.js";
import type { AttachmentMeta } from "../message/attachment.js";
import type { JsonValue } from "../schema/json.js";
import type { ChannelEvent } from "./event.js";
import type {
  IncomingMessage,
  MessageReference,
  OutgoingResponse,
  SentMessage,
} from "./message.js";
import type { StatusUpdate } from "./status.js";

/** Received file, for `saveAttachment` of the context of a channel. */
export interface ReceivedFile {
  readonly name?: string;
  readonly mimeType: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Request of a sender to be admitted. */
export interface PairingRequestResult {
  /** Code with which the operator admits the sender. */
  readonly code: string;
  /** True when the sender had no request before, and is to be told the code. */
  readonly created: boolean;
}

/** Senders whom the operator admits to one account of a channel, with pairing codes (HOST-021). */
export interface ChannelPairingAccess {
  /**
   * Stores the request of a sender to be admitted, unless the sender has one.
   * @param senderId - ID of the sender on the platform
   * @param userName - name of the sender
   * @throws ChannelError when too many others wait
   */
  request(senderId: string, userName?: string): Promise<PairingRequestResult>;
  /**
   * Returns true for a sender whom the operator admitted.
   * @param senderId - ID of the sender on the platform
   */
  isPaired(senderId: string): boolean;
  /** Returns the IDs of the senders whom the operator admitted. */
  senders(): readonly string[];
}

/** Capabilities of the host for one running account of a channel. */
export interface ChannelContext {
  /** Aborts when the channel must stop; its stream must then end within 2 seconds (CHAN-002). */
  readonly signal: AbortSignal;
  /** Section of the configuration for this account: `channels.<name>`, with `accounts.<accountId>` over it. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly logger: Logger;
  /** Account to run: a key of `channels.<name>.accounts`, or `default`. */
  readonly accountId: string;
  /** Reports that the platform is connected; a message that is yielded reports it, too. */
  connected(): void;
  /**
   * Reports an action of a person on a message, other than writing one; absent on hosts without such events.
   * @param event - an edit of a message, or a reaction to one
   */
  report?(event: ChannelEvent): void;
  /**
   * Stores a received file in the state folder of the host.
   * @param file - name, type and content, at most 20 MiB
   * @returns the attachment of the message, with the path of the file
   * @throws ChannelInvalidMessageError when the file is too large
   */
  saveAttachment(file: ReceivedFile): Promise<AttachmentMeta>;
  /** Senders whom the operator admits to the account; absent on hosts without pairing. */
  readonly pairing?: ChannelPairingAccess;
}

/** Capabilities of the platform of a channel. */
export interface ChannelCapabilities {
  /** Maximum number of characters of one message; a longer one is sent in chunks. */
  readonly textLimit?: number;
  /** True when messages can have buttons. */
  readonly buttons?: boolean;
  /**
   * Form in which an attachment with audio is shown: as a voice message, or as a file. Without it replies are not spoken.
   */
  readonly audio?: "voice" | "file";
  /** True when a reply may be shown while it is written, by editing its message; needs `edit`. */
  readonly streaming?: boolean;
  /**
   * True when the platform shows a message once if it receives the message twice with the same idempotency key.
   * Without it, a message that was being sent when the process ended is not sent again.
   */
  readonly deduplicates?: boolean;
  /**
   * True when the channel itself checks who may write, for example by a secret. Its senders then need no pairing,
   * unless `dmPolicy` or `allowFrom` of its configuration says who is accepted.
   */
  readonly authenticates?: boolean;
  /**
   * True when the channel runs without a section of the configuration, because installing it was the decision to use it.
   * A section with `enabled: false` keeps it from running.
   */
  readonly runsUnconfigured?: boolean;
}

/** Messaging surface, such as a chat network (CHAN-001). One object serves all accounts of the channel. */
export interface Channel {
  /** Name of the channel in the configuration and in session keys, in lower case. */
  readonly name: string;
  readonly capabilities?: ChannelCapabilities;
  /**
   * Starts receiving messages; called once for each account. A message is stored before the next one is asked for,
   * so a channel may confirm it to the platform then (CHAN-013).
   * @param context - signal, account, configuration and logger
   * @returns the messages, until the signal aborts
   */
  start(context: ChannelContext): AsyncIterable<IncomingMessage>;
  /**
   * Sends a reply.
   * @param message - the message to reply to
   * @param response - the reply
   * @returns the receipt of the platform, if there is one
   * @throws ChannelError that says whether a repeat can succeed
   */
  respond(message: IncomingMessage, response: OutgoingResponse): Promise<SentMessage | void>;
  /**
   * Shows progress of the host's work on a message.
   * @param status - for example the start of a tool
   * @param metadata - metadata of that message
   */
  sendStatus?(status: StatusUpdate, metadata: JsonValue, message: IncomingMessage): Promise<void>;
  /**
   * Sends a message that is not a reply.
   * @param userId - ID of the recipient: a user or a conversation
   * @param response - text and attachments
   * @returns the receipt of the platform, if there is one
   * @throws ChannelError that says whether a repeat can succeed
   */
  broadcast?(userId: string, response: OutgoingResponse): Promise<SentMessage | void>;
  /**
   * Replaces the text and the buttons of a sent message.
   * @param message - the sent message
   * @param response - new content
   */
  edit?(message: MessageReference, response: OutgoingResponse): Promise<void>;
  /**
   * Deletes a sent message.
   * @param message - the sent message
   */
  remove?(message: MessageReference): Promise<void>;
  /**
   * Adds a reaction to a message.
   * @param emoji - one emoji
   */
  react?(message: MessageReference, emoji: string): Promise<void>;
  /** Resolves when an account of the channel works and rejects when it does not. */
  healthCheck?(accountId: string): Promise<void>;
  /** Closes connections and releases resources, after the streams of all accounts have ended. */
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
