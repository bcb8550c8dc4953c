import type { ChannelContext, IncomingMessage } from "@openclaw/plugin-sdk/channel-core";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { ActionEvent, Adapter, Attachment, Message, SlashCommandEvent } from "chat";
import { placeOf, stableUuid } from "./place.js";
import { readableText } from "./text.js";

/** Maximum size of a received file in bytes; the host stores no larger one. */
const MAXIMUM_BYTES = 20 * 1024 * 1024;

/** Account that received a message. */
export interface Receiver extends Pick<ChannelContext, "accountId" | "saveAttachment" | "logger"> {
  readonly channel: string;
  readonly adapter: Adapter;
  /** Returns the current time. */
  now(): Date;
  /**
   * Downloads a file.
   * @param file - file of a message
   * @returns its content; undefined when the adapter cannot download it
   */
  fetchFile(file: Attachment): ReturnType<NonNullable<Attachment["fetchData"]>> | undefined;
}

type StoredFile = Awaited<ReturnType<ChannelContext["saveAttachment"]>>;
type EventOfUser = Pick<ActionEvent, "user">;

/**
 * Returns a message of an adapter as the host takes it, with its files stored.
 * @param message - message of the adapter
 * @param threadId - thread ID of the adapter
 * @param receiver - the account
 */
export async function incomingMessage(
  message: Message,
  threadId: string,
  receiver: Receiver,
): Promise<IncomingMessage> {
  const { adapter } = receiver;
  const files = await Promise.all(message.attachments.map((file) => storedFile(file, receiver)));
  const notes = files.filter((file) => typeof file === "string");
  const attachments = files.filter((file) => typeof file !== "string");
  const text = withoutMention(readableText(message.formatted, message.text), adapter);
  const isMention =
    message.isMention ??
    (isMentioned(message.text, adapter) || message.replyTo?.author.isMe === true);
  return {
    ...envelope({ ...message.author, threadId, externalId: message.id }, receiver),
    content: [text, ...notes].filter((part) => part !== "").join("\n"),
    ...(attachments.length === 0 ? {} : { attachments }),
    isMention,
    isBot: message.author.isBot === true || message.author.isSystem === true,
  };
}

/**
 * Returns the message that a pressed button stands for.
 * @param event - the pressed button; its value is the text of the message
 * @param threadId - thread ID of the adapter
 * @param receiver - the account
 */
export function buttonMessage(
  event: EventOfUser & Pick<ActionEvent, "actionId" | "value" | "messageId">,
  threadId: string,
  receiver: Receiver,
): IncomingMessage {
  const { user, value = "", actionId, messageId } = event;
  // Pressed twice it is one message: the value of a button is a decision.
  const externalId = `${messageId}#${actionId}#${user.userId}`;
  return {
    ...envelope({ ...user, threadId, externalId }, receiver),
    content: value,
    isMention: true,
    isBot: user.isBot === true,
  };
}

/**
 * Returns the message that a slash command of a platform stands for.
 * @param event - the command, for example `/openclaw` with the text `status`
 * @param id - ID of the invocation
 * @param receiver - the account
 */
export function commandMessage(
  event: EventOfUser & Pick<SlashCommandEvent, "command" | "text"> & { readonly channelId: string },
  id: string,
  receiver: Receiver,
): IncomingMessage {
  const { user, text, channelId } = event;
  return {
    ...envelope({ ...user, threadId: channelId, externalId: id }, receiver),
    content: text.startsWith("/") ? text : `/${text}`,
    isMention: true,
    isBot: user.isBot === true,
  };
}

function envelope(
  { threadId, externalId, ...author }: Message["author"] & { threadId: string; externalId: string },
  { adapter, channel, accountId, now }: Receiver,
): Omit<IncomingMessage, "content"> {
  const { isDirect, ...place } = placeOf(adapter, threadId);
  const { conversationId } = place;
  return {
    id: stableUuid(channel, accountId, threadId, externalId),
    channel,
    accountId,
    ...place,
    ...(isDirect ? {} : { room: { kind: "channel" as const, id: conversationId } }),
    userId: author.userId,
    userName: author.fullName || author.userName || author.userId,
    receivedAt: now(),
    externalId,
  };
}

/** Stores a file, or returns a note for the text: a message whose file is missing must not be lost. */
async function storedFile(file: Attachment, receiver: Receiver): Promise<StoredFile | string> {
  const { name, mimeType, size = 0, fetchData } = file;
  const title = name ?? file.type;
  try {
    if (size > MAXIMUM_BYTES) throw new Error(`it is larger than ${MAXIMUM_BYTES} bytes`);
    const content = await contentOf(file, receiver);
    return await receiver.saveAttachment({
      ...defined({ name }),
      mimeType: mimeType ?? "application/octet-stream",
      content,
    });
  } catch (error) {
    const reason = errorMessage(error);
    const hasSource = fetchData !== undefined || file.data !== undefined;
    receiver.logger.warn(`a file of a message was not received: ${reason}`, { name: title });
    return `[file ${title} was not received${hasSource ? "" : ": the platform has no content for it"}]`;
  }
}

async function contentOf(file: Attachment, { fetchFile }: Receiver): Promise<Uint8Array> {
  const { data } = file;
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer());
  if (data !== undefined) return data;
  const content = await fetchFile(file);
  if (content === undefined) throw new Error("the adapter cannot download it");
  return content instanceof ArrayBuffer ? new Uint8Array(content) : content;
}

function isMentioned(text: string, adapter: Adapter): boolean {
  const written = text.toLowerCase();
  return namesOf(adapter).some((name) => {
    const mention = `@${name.toLowerCase()}`;
    const at = written.indexOf(mention);
    return at >= 0 && !/[\p{L}\p{N}_-]/u.test(written.charAt(at + mention.length));
  });
}

/** Removes the mention of the bot at the start, so that a command after it is found. */
function withoutMention(text: string, adapter: Adapter): string {
  for (const name of namesOf(adapter)) {
    for (const mention of [`<@${name}>`, `<@!${name}>`, `@${name}`]) {
      if (!text.toLowerCase().startsWith(mention.toLowerCase())) continue;
      const rest = text.slice(mention.length);
      if (rest === "" || /^[\s,:]/.test(rest)) return rest.replace(/^[\s,:]+/, "");
    }
  }
  return text;
}

function namesOf({ botUserId, userName }: Adapter): readonly string[] {
  return [botUserId ?? "", userName].filter((name) => name !== "");
}
