import { defined } from "@openclaw/foundation";
import type { DeliveryTarget } from "@openclaw/store";
import type { InboundMessage } from "../messages/inbound.js";

/** Conversation that a message was written in, as far as a reply to it needs it. */
export type ReplyAddress = Pick<
  InboundMessage,
  "channel" | "conversationId" | "accountId" | "threadId"
>;

/**
 * Returns the target of replies to a message, in the form in which the outbox stores it.
 * @param message - the answered message
 */
export function replyTarget(message: ReplyAddress): DeliveryTarget {
  const { channel, conversationId, accountId, threadId } = message;
  return defined({ channel, to: conversationId, accountId, threadId });
}
