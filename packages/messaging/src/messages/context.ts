import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundMessage } from "./inbound.js";
import { beginTrace } from "./trace.js";

/**
 * What hooks are told of the message they are asked about.
 * @param message - who wrote, and where
 * @param messageId - id of its row in the inbox
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
  return {
    ...beginTrace(messageId),
    callDepth: 0,
    messageProvider: channel,
    channelId: conversationId,
    conversationId,
    messageId,
    senderId,
    senderIsOwner,
    accountId,
    ...(threadId === undefined ? {} : { threadId }),
    ...(threadId === undefined || room === undefined ? {} : { parentConversationId: room.id }),
  };
}
