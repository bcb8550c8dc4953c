import { orderedId } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { InboundRow, InboundMessage as InboxMessage } from "@openclaw/store";
import type { InboundMessage } from "./inbound.js";

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
    id: orderedId(receivedAt),
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
    request: requestOf(message),
  };
}

/**
 * A message as its surface handed it over, from what the inbox holds of it.
 * @param row - whose outcome is not known yet
 */
export function restoreMessage(row: InboundRow): InboundMessage {
  const { senderIsOwner, ...metadata } = row.metadata;
  const { channel, accountId, conversationId, senderId, content, attachments } = row;
  const { threadId, userName, externalMessageId, idempotencyKey, request = {} } = row;
  return {
    ...request,
    channel,
    accountId,
    conversationId,
    senderId,
    senderIsOwner: senderIsOwner === true,
    text: content,
    metadata,
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(userName === undefined ? {} : { userName }),
    ...(externalMessageId === undefined ? {} : { externalMessageId }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

/** What its row has no columns for. */
function requestOf(message: InboundMessage): JsonObject {
  const { room, sessionKey, agentId, model, extraInstructions, history } = message;
  const request = { room, sessionKey, agentId, model, extraInstructions, history };
  return JSON.parse(JSON.stringify(request)) as JsonObject;
}
