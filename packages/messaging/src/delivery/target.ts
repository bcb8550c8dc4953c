import { defined } from "@openclaw/foundation";
import type { DeliveryTarget } from "@openclaw/store";
import type { InboundMessage } from "../messages/inbound.js";

/** Fields of a message that address the conversation for its reply. */
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
