import type { AttachmentMeta } from "../message/attachment.js";
import type { JsonValue } from "../schema/json.js";

/** Group or channel whose members read each other's messages. */
export interface ChannelRoom {
  readonly kind: "group" | "channel";
  readonly id: string;
}

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
  /** Account of the channel that received it; `default` when absent. */
  readonly accountId?: string;
  /** ID of the conversation, to which replies go; by default that of the room, else `userId`. */
  readonly conversationId?: string;
  /** Group or channel in which it was written; absent for a direct message. */
  readonly room?: ChannelRoom;
  /**
   * ID that the platform gave the message, unique in its conversation. A repeat of it is acknowledged and not run
   * again (CHAN-013); by default `id`.
   */
  readonly externalId?: string;
  /**
   * ID of the album that the message is a part of. A part that arrives while the turn of an earlier one from the same
   * sender waits or runs belongs to that turn, whatever `session.queueMode` says; after its end it is a separate turn.
   */
  readonly albumId?: string;
  /** True when a message in a room is for the bot: it mentions the bot, or replies to one of its messages. */
  readonly isMention?: boolean;
  /** True when another bot wrote it. Its messages are ignored, so that two bots do not answer each other. */
  readonly isBot?: boolean;
  /**
   * Called once the message is stored, or was stored before, or is not accepted. A channel whose platform sends
   * unacknowledged messages again acknowledges it here, or when the host asks for the next message.
   */
  acknowledge?(): void;
  /**
   * Called once the host's work on the message ended, after the last part of the reply was sent or could not be sent;
   * not called when the process is killed first.
   * @param outcome - result of the work
   */
  settled?(outcome: MessageOutcome): void;
}

/**
 * Result of the host's work on a message (CHAN-060). `interrupted`: a user stopped the turn, or the host stopped before
 * its end; the next process then sends the reply. `failed`: the turn failed, or its reply could not be sent. `ignored`:
 * the policies of the channel do not accept the message.
 */
export type MessageOutcome =
  | { readonly status: "replied" | "answered"; readonly text: string }
  | { readonly status: "withheld" | "failed"; readonly reason: string }
  | { readonly status: "interrupted" | "duplicate" | "ignored" };

/** Button below a message. */
export interface ChannelButton {
  /** Text on the button. */
  readonly label: string;
  /**
   * Text that the channel yields as the content of a message from the person who pressed the button; at most 64
   * bytes.
   */
  readonly value: string;
}

/** Message to send (CHAN-004). */
export interface OutgoingResponse {
  /** Text in Markdown, at most `capabilities.textLimit` characters. */
  readonly content: string;
  readonly threadId?: string;
  readonly metadata?: JsonValue;
  readonly attachments?: readonly AttachmentMeta[];
  /** Account that sends it; `default` when absent. */
  readonly accountId?: string;
  /** ID that the platform gave the message to which this one replies. */
  readonly replyToId?: string;
  /** Rows of buttons; only for a channel with `capabilities.buttons`. */
  readonly buttons?: readonly (readonly ChannelButton[])[];
  /** The same for every attempt to send this message. */
  readonly idempotencyKey?: string;
}

/** Receipt of a sent message. */
export interface SentMessage {
  /** ID that the platform gave the message. */
  readonly messageId?: string;
}

/** A sent message, for a change of it. */
export interface MessageReference {
  readonly conversationId: string;
  /** ID that the platform gave the message. */
  readonly messageId: string;
  readonly accountId?: string;
  readonly threadId?: string;
}
