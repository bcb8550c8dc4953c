import { defined } from "@openclaw/foundation";
import {
  ChannelInvalidMessageError,
  type IncomingMessage,
} from "@openclaw/plugin-sdk/channel-core";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { InboundRow } from "@openclaw/store";
import type { InboundMessage } from "../messages/inbound.js";
import { receivedAtOf } from "../messages/inbox.js";
import { isSection } from "./settings.js";

const MAXIMUM_ID = 512;
const REQUIRED = ["id", "channel", "userId"] as const;
const OPTIONAL = [
  "userName",
  "threadId",
  "accountId",
  "conversationId",
  "externalId",
  "albumId",
] as const;

/**
 * Checks a message that a channel yielded.
 * @param value - yielded value
 * @throws ChannelInvalidMessageError that names the field
 */
export function readIncoming(value: unknown, channel: string): IncomingMessage {
  const refuse = (field: string, expected: string) => {
    const problem = `a message that it yielded has an invalid ${field}: expected ${expected}; correct the channel`;
    return new ChannelInvalidMessageError(channel, problem);
  };
  if (!isSection(value)) throw refuse("form", "an object");
  const id = `a string of 1 to ${MAXIMUM_ID} characters`;
  for (const field of REQUIRED) if (!isId(value[field])) throw refuse(field, id);
  for (const field of OPTIONAL) {
    if (value[field] !== undefined && !isId(value[field])) throw refuse(field, id);
  }
  if (value.channel !== channel) throw refuse("channel", `"${channel}"`);
  if (typeof value.content !== "string") throw refuse("content", "a string");
  if (!(value.receivedAt instanceof Date) || Number.isNaN(value.receivedAt.getTime())) {
    throw refuse("receivedAt", "a date");
  }
  const { room, attachments } = value;
  if (room !== undefined) {
    const isRoom = isSection(room) && (room.kind === "group" || room.kind === "channel");
    if (!isRoom || !isId(room.id)) throw refuse("room", "{ kind: group or channel, id }");
  }
  if (attachments !== undefined && !(Array.isArray(attachments) && attachments.every(isFile))) {
    throw refuse("attachments", "a list of { mimeType, bytes, name?, path?, url? }");
  }
  return value as unknown as IncomingMessage;
}

/**
 * Returns a message of a channel in the form in which every surface hands messages to the flow.
 * @param message - message of a channel
 * @param sender - account that received it, and whether its sender is an owner
 */
export function inboundMessage(
  message: IncomingMessage,
  { accountId, isOwner }: { readonly accountId: string; readonly isOwner: boolean },
): InboundMessage {
  const { channel, userId, userName, content, threadId, room, attachments, metadata } = message;
  return defined({
    channel,
    accountId,
    conversationId: message.conversationId ?? room?.id ?? userId,
    threadId,
    room,
    senderId: userId,
    userName,
    senderIsOwner: isOwner,
    cleanText: attachments === undefined ? undefined : content,
    text: [content, ...(attachments ?? []).map(attachmentNote)].filter(Boolean).join("\n"),
    attachments: attachments === undefined ? undefined : [...attachments],
    metadata: metadataOf(metadata),
    externalMessageId: message.externalId ?? message.id,
    ofChannel: { isMention: message.isMention === true },
    albumId: message.albumId,
    receivedAt: message.receivedAt.getTime(),
  });
}

/**
 * Returns the message of a channel from its row in the inbox, for a reply after a restart.
 * @param row - row of the message
 */
export function incomingMessage(row: InboundRow): IncomingMessage {
  const { senderIsOwner: _owner, requestDigest: _digest, ...metadata } = row.metadata;
  const { channel, accountId, conversationId, threadId, userName, externalMessageId } = row;
  return defined({
    id: externalMessageId ?? row.id,
    channel,
    userId: row.senderId,
    userName,
    content: row.content,
    threadId,
    receivedAt: new Date(receivedAtOf(row)),
    metadata,
    attachments: row.attachments,
    accountId,
    conversationId,
    externalId: externalMessageId,
  });
}

/** Tells the model of a file that the message has; audio becomes text when a plugin transcribes it. */
function attachmentNote({ name = "file", mimeType, bytes, path, url }: AttachmentMeta): string {
  const place = path ?? url;
  const about = `${name.replaceAll(/[\]\n]/g, " ")} (${mimeType}, ${bytes} bytes)`;
  return `[Attached: ${about}${place === undefined ? "" : `, ${place}`}]`;
}

/** Hooks see the metadata of messages as an object. */
function metadataOf(metadata: JsonValue | undefined): JsonObject | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  return isSection(metadata) ? (metadata as JsonObject) : { value: metadata };
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAXIMUM_ID;
}

function isFile(value: unknown): boolean {
  return isSection(value) && typeof value.mimeType === "string" && typeof value.bytes === "number";
}
