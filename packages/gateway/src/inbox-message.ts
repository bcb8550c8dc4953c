import { randomUUID } from "node:crypto";
import type { InboundMessage as InboxMessage } from "@openclaw/store";
import type { InboundMessage } from "./inbound-message.js";

/**
 * A message as the inbox stores it, under an id of its own.
 * @param message - as a surface hands it over
 * @param receivedAt - in milliseconds since the epoch
 */
export function inboxMessage(message: InboundMessage, receivedAt: number): InboxMessage {
  const { channel, conversationId, senderId, senderIsOwner, text } = message;
  const { accountId = "default", attachments = [], metadata } = message;
  const { threadId, userName, externalMessageId, idempotencyKey } = message;
  return {
    id: randomUUID(),
    channel,
    accountId,
    conversationId,
    senderId,
    content: text,
    attachments,
    metadata: { ...metadata, senderIsOwner },
    receivedAt,
    ...(threadId === undefined ? {} : { threadId }),
    ...(userName === undefined ? {} : { userName }),
    ...(externalMessageId === undefined ? {} : { externalMessageId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
