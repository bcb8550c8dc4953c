import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundMessage } from "./inbound-message.js";

/**
 * What hooks are told of the message they are asked about.
 * @param message - who wrote, and where
 * @param messageId - id of its row in the inbox
 */
export function messageContext(
  message: Pick<InboundMessage, "channel" | "conversationId" | "senderId" | "senderIsOwner">,
  messageId: string,
): MessageContext {
  const { channel, conversationId, senderId, senderIsOwner } = message;
  return {
    callDepth: 0,
    messageProvider: channel,
    channelId: conversationId,
    conversationId,
    messageId,
    senderId,
    senderIsOwner,
  };
}
