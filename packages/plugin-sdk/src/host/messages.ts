/** Conversation on a channel. */
export interface MessageTarget {
  /** Name of the channel. */
  readonly channel: string;
  /** Conversation as the channel names it, for example `context.channelId` of a message. */
  readonly to: string;
  readonly accountId?: string;
  readonly threadId?: string;
}

/** Message of a plugin that answers none. */
export interface PluginMessage extends MessageTarget {
  readonly text: string;
}

/** Outcome of a message. */
export type MessageReceipt =
  | { readonly status: "delivered" }
  /** A hook cancelled it. */
  | { readonly status: "suppressed"; readonly reason: string }
  | { readonly status: "failed"; readonly error: string };

/** Sends messages that answer none. */
export interface RuntimeMessages {
  /**
   * Sends a message to a conversation. It is stored first, passes `before_dispatch` and `message_sending` like a reply,
   * and is divided to fit the channel (SDK-054).
   * @param message - text and conversation
   * @throws an error with code `MESSAGE_TARGET_NOT_FOUND` for a channel that is not running
   */
  send(message: PluginMessage): Promise<MessageReceipt>;
}
