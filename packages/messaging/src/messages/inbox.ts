import { defined, orderedId } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { InboundRow, InboundMessage as InboxMessage } from "@openclaw/store";
import type { InboundMessage } from "./inbound.js";

/**
 * Returns a message in the form in which the inbox stores it, with a new ID.
 * @param message - message from a surface
 * @param receivedAt - milliseconds since the epoch
 */
export function inboxMessage(message: InboundMessage, receivedAt: number): InboxMessage {
  const { channel, conversationId, senderId, senderIsOwner, text } = message;
  const { accountId = "default", attachments = [], metadata } = message;
  const { threadId, userName, externalMessageId, idempotencyKey, requestDigest } = message;
  return defined({
    id: orderedId(receivedAt),
    channel,
    accountId,
    conversationId,
    senderId,
    content: text,
    attachments,
    metadata: { ...metadata, senderIsOwner, ...defined({ requestDigest }) },
    receivedAt,
    threadId,
    userName,
    externalMessageId,
    idempotencyKey,
    request: requestOf(message),
  });
}

/**
 * Returns a message in the form in which its surface sent it, from its row in the inbox.
 * @param row - inbox row without an outcome
 */
export function restoreMessage(row: InboundRow): InboundMessage {
  const { senderIsOwner, requestDigest: _, ...metadata } = row.metadata;
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
    attachments: attachments.length === 0 ? undefined : attachments,
    threadId,
    userName,
    externalMessageId,
    idempotencyKey,
  };
}

/**
 * Returns the digest of the request of a stored message; undefined when it was sent without one.
 * @param row - row of the message
 */
export function requestDigestOf({ metadata }: Pick<InboundRow, "metadata">): string | undefined {
  const { requestDigest } = metadata;
  return typeof requestDigest === "string" ? requestDigest : undefined;
}

/**
 * Returns the time at which its surface received a stored message (CHAN-003).
 * @param row - row of the message, which has the time at which the inbox took it
 */
export function receivedAtOf({
  request,
  receivedAt,
}: Pick<InboundRow, "request" | "receivedAt">): number {
  const time = request?.receivedAt;
  return typeof time === "number" ? time : receivedAt;
}

/** Returns the fields that have no columns. */
function requestOf(message: InboundMessage): JsonObject {
  const { cleanText, room, ofChannel, sessionKey, agentId, model, extraInstructions } = message;
  const { albumId, history, client, receivedAt } = message;
  const chosen = { sessionKey, agentId, model, extraInstructions, history, client };
  const request = { cleanText, room, ofChannel, albumId, receivedAt, ...chosen };
  return JSON.parse(JSON.stringify(request)) as JsonObject;
}
