import { createHash } from "node:crypto";
import type { IncomingMessage } from "@openclaw/plugin-sdk/channel-core";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { Message, MessageEntity, Update, User, UserFromGetMe } from "grammy/types";
import type { KnownChats } from "./moved-groups.js";

/** Kinds of updates that the channel receives. Edits and reactions are events for plugins, and change no answer. */
export const RECEIVED_UPDATES = [
  "message",
  "callback_query",
  "edited_message",
  "message_reaction",
] as const;

/** Maximum length of the quoted message in a reply, in characters. */
const QUOTED = 500;

/** A message without the files that are attached to it. */
export type ReadMessage = Omit<IncomingMessage, "attachments" | "acknowledge">;

/** File that is attached to a message. */
export interface TelegramFile {
  readonly fileId: string;
  readonly name: string;
  readonly mimeType: string;
}

/** An update as the channel understands it. */
export interface ReadUpdate {
  readonly message: ReadMessage;
  /** Number of the message in its chat. */
  readonly number: number;
  readonly files: readonly TelegramFile[];
  /** ID of the press of a button, which Telegram wants to be answered. */
  readonly pressId?: string | undefined;
}

/**
 * Reads an update of the Bot API.
 * @param update - the update
 * @param me - the bot
 * @param account - account that received it, and the chats that it knows
 * @returns undefined for an update that is not a message of a person
 */
export function readUpdate(
  update: Update,
  me: UserFromGetMe,
  { accountId, chats }: { readonly accountId: string; readonly chats: KnownChats },
): ReadUpdate | undefined {
  const { message, callback_query: press } = update;
  if (press?.data !== undefined && press.message !== undefined) {
    const { chat, message_thread_id: thread, message_id: number } = press.message as Message;
    const place = placeOf(chat, thread, chats);
    const externalId = `callback:${press.id}`;
    return {
      ...{ number, files: [] },
      pressId: press.id,
      message: {
        ...messageOf(externalId, press.from, press.data, new Date(), { ...place, accountId }),
        isMention: true,
      },
    };
  }
  if (message?.from === undefined) return undefined;
  const text = message.text ?? message.caption ?? "";
  const file = fileOf(message);
  if (text === "" && file === undefined) return undefined;
  const { chat, from, message_id: id, date } = message;
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined;
  const place = placeOf(chat, thread, chats);
  const entities = message.entities ?? message.caption_entities ?? [];
  const content = quoted(message, me) + withoutMention(text, me.username);
  return {
    ...{ number: id, files: file === undefined ? [] : [file] },
    message: {
      ...messageOf(externalIdOf(chat, id, chats), from, content, new Date(date * 1000), {
        ...place,
        accountId,
      }),
      isMention: isForBot(message, entities, text, me),
      isBot: from.is_bot,
    },
  };
}

function messageOf(
  externalId: string,
  from: User,
  content: string,
  receivedAt: Date,
  place: Pick<IncomingMessage, "conversationId" | "room" | "threadId" | "accountId">,
): ReadMessage {
  const { accountId = "", conversationId = "" } = place;
  const name = [from.first_name, from.last_name].filter(Boolean).join(" ");
  return {
    id: uuidOf(accountId, conversationId, externalId),
    channel: "telegram",
    userId: String(from.id),
    ...(name === "" ? {} : { userName: name }),
    content,
    receivedAt,
    externalId,
    ...place,
  };
}

/**
 * Returns the ID of a message. The numbers of a supergroup begin again, so those of a group that became one differ.
 * @param chat - chat of the message
 * @param number - its number in the chat
 * @param chats - chats that the host knows by another ID
 */
export function externalIdOf(chat: Message["chat"], number: number, chats: KnownChats): string {
  const id = String(chat.id);
  return chats.hostId(id) === id ? String(number) : `${id}:${number}`;
}

/**
 * Returns the number of a message in its chat.
 * @param externalId - from {@link externalIdOf}, or the ID of a sent message
 */
export function numberOf(externalId: string | undefined): number {
  return Number(/\d+$/.exec(externalId ?? "")?.[0] ?? Number.NaN);
}

/**
 * Returns the conversation of a chat.
 * @param chat - chat of a message
 * @param thread - ID of its topic
 * @param chats - chats that the host knows by another ID
 */
export function placeOf(chat: Message["chat"], thread: number | undefined, chats: KnownChats) {
  const conversationId = chats.hostId(String(chat.id));
  const threadId = thread === undefined ? {} : { threadId: String(thread) };
  if (chat.type === "private") return { conversationId, ...threadId };
  const kind = chat.type === "channel" ? ("channel" as const) : ("group" as const);
  return { conversationId, room: { kind, id: conversationId }, ...threadId };
}

function isForBot(
  { reply_to_message: replied }: Message,
  entities: readonly MessageEntity[],
  text: string,
  { id, username }: UserFromGetMe,
): boolean {
  if (replied?.from?.id === id) return true;
  return entities.some(({ type, offset, length, ...entity }) => {
    const marked = text.slice(offset, offset + length).toLowerCase();
    if (type === "mention") return marked === `@${username.toLowerCase()}`;
    if (type === "text_mention") return "user" in entity && entity.user.id === id;
    return type === "bot_command" && marked.endsWith(`@${username.toLowerCase()}`);
  });
}

/** Returns a text without the name of the bot. */
function withoutMention(text: string, username: string): string {
  const name = new RegExp(`(^|\\s)(/\\w+)?@${username}\\b`, "gi");
  return text.replace(name, (_whole, space: string, command = "") => space + command).trim();
}

/** Shows the model which message a person replies to; the bot's own are in the conversation. */
function quoted({ reply_to_message: replied, quote }: Message, me: UserFromGetMe): string {
  const text = quote?.text ?? replied?.text ?? replied?.caption;
  if (text === undefined || (replied?.from?.id === me.id && quote === undefined)) return "";
  const shown = text.length > QUOTED ? `${startOfText(text, QUOTED)}…` : text;
  return `${shown.replace(/^/gm, "> ")}\n\n`;
}

function fileOf(message: Message): TelegramFile | undefined {
  const { photo, document, voice, audio, video } = message;
  const largest = photo?.at(-1);
  if (largest !== undefined) {
    return { fileId: largest.file_id, name: "photo.jpg", mimeType: "image/jpeg" };
  }
  if (voice !== undefined) {
    return { fileId: voice.file_id, name: "voice.ogg", mimeType: voice.mime_type ?? "audio/ogg" };
  }
  const file = document ?? audio ?? video;
  if (file === undefined) return undefined;
  const mimeType = file.mime_type ?? "application/octet-stream";
  return { fileId: file.file_id, name: file.file_name ?? "file", mimeType };
}

/** The same message always has the same UUID, also when Telegram sends it again. */
function uuidOf(...parts: readonly string[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
