import { defined } from "@openclaw/foundation";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundMessage } from "./inbound.js";
import { beginTrace } from "./trace.js";

/**
 * Returns the context of the hooks of a message.
 * @param message - message with sender and conversation
 * @param messageId - ID of its row in the inbox
 */
export function messageContext(
  message: Pick<
    InboundMessage,
    "channel" | "accountId" | "conversationId" | "threadId" | "room" | "senderId" | "senderIsOwner"
  >,
  messageId: string,
): MessageContext {
  const { channel, conversationId, senderId, senderIsOwner, accountId = "default" } = message;
  const { threadId, room } = message;
  return defined({
    ...beginTrace(messageId),
    callDepth: 0,
    messageProvider: channel,
    channelId: conversationId,
    conversationId,
    messageId,
    senderId,
    senderIsOwner,
    accountId,
    threadId,
    parentConversationId: threadId === undefined ? undefined : room?.id,
  });
}
