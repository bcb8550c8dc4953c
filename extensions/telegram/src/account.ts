import http from "node:http";
import https from "node:https";
import {
  type AttachmentMeta,
  type ChannelContext,
  ChannelDisconnectedError,
  type IncomingMessage,
  type MessageReference,
  type OutgoingResponse,
  type SentMessage,
} from "@openclaw/plugin-sdk/channel-core";
import { Api, GrammyError, InputFile } from "grammy";
import type { InlineKeyboardMarkup, Message, Update, UserFromGetMe } from "grammy/types";
import { albumOf, mergedAlbum, SeenParts } from "./album.js";
import { readEvent } from "./events.js";
import { channelFailure } from "./failures.js";
import { isShown, telegramHtml } from "./formatting.js";
import {
  numberOf,
  RECEIVED_UPDATES,
  type ReadUpdate,
  readUpdate,
  type TelegramFile,
} from "./incoming.js";
import { type MovedGroups, moveIn } from "./moved-groups.js";
import type { TelegramSettings } from "./settings.js";
import { UpdatePolls } from "./update-polls.js";
import { UpdateQueue } from "./update-queue.js";

/** Maximum length of the text below a file, in characters. */
const CAPTION_LIMIT = 1024;

/** Signal as grammY declares it: the same interface, by its name in a polyfill. */
type ApiSignal = NonNullable<Parameters<Api["getMe"]>[0]>;

/** Place of a message in Telegram. */
interface Place {
  readonly chatId: string;
  readonly threadId?: string | undefined;
}

/** A bot and its connection to Telegram. */
export class TelegramAccount {
  /** Updates that arrive at the webhook. */
  readonly updates = new UpdateQueue();
  readonly settings: TelegramSettings;
  readonly #context: ChannelContext;
  readonly #api: Api;
  readonly #groups: MovedGroups;
  readonly #albums = new SeenParts();

  /**
   * @param settings - settings of the account
   * @param context - signal and log of the account
   * @param groups - groups that became supergroups
   */
  constructor(settings: TelegramSettings, context: ChannelContext, groups: MovedGroups) {
    this.settings = settings;
    this.#context = context;
    this.#groups = groups;
    const { botToken, apiRoot } = settings;
    // The agents of grammY would not follow the proxies of the environment.
    const agent = apiRoot.startsWith("https:") ? https.globalAgent : http.globalAgent;
    this.#api = new Api(botToken, { apiRoot, baseFetchConfig: { agent } });
  }

  /**
   * Receives messages until the signal aborts. An update is confirmed to Telegram once the host asks for the next
   * message, which it does when the message is stored.
   * @throws ChannelError when the connection fails
   */
  async *receive(): AsyncGenerator<IncomingMessage> {
    const { updates } = this.settings;
    try {
      const me = await this.#api.getMe(this.#signal);
      if (updates.by === "webhook") {
        const { url, secret: secret_token } = updates;
        const allowed_updates = [...RECEIVED_UPDATES];
        await this.#api.setWebhook(url, { secret_token, allowed_updates }, this.#signal);
        this.#context.connected();
        yield* this.#fromWebhook(me);
      } else {
        await this.#api.deleteWebhook({}, this.#signal);
        yield* this.#fromPolls(me);
      }
    } catch (error) {
      if (this.#context.signal.aborted) return;
      throw channelFailure(error);
    }
  }

  /**
   * Sends a message.
   * @param place - chat and topic
   * @param response - text, files and buttons
   * @throws ChannelError
   */
  async send(place: Place, response: OutgoingResponse): Promise<SentMessage> {
    const { content, attachments = [] } = response;
    const [first] = attachments;
    const isCaption = attachments.length === 1 && content.length <= CAPTION_LIMIT;
    let messageId: string | undefined;
    if (content.trim() !== "" && !isCaption) messageId = await this.#sendText(place, response);
    for (const file of attachments) {
      const source = file.path === undefined ? file.url : new InputFile(file.path, file.name);
      if (source === undefined) continue;
      const caption = isCaption && file === first ? content : "";
      const options = { ...this.#options(place, response), ...captionOf(caption) };
      const id = await this.#call<Message>(place, (chatId) => {
        const { mimeType } = file;
        if (/^image\/(?:jpeg|png|webp)$/.test(mimeType)) {
          return this.#api.sendPhoto(chatId, source, options);
        }
        if (mimeType === "audio/ogg") return this.#api.sendVoice(chatId, source, options);
        if (mimeType.startsWith("audio/")) return this.#api.sendAudio(chatId, source, options);
        return this.#api.sendDocument(chatId, source, options);
      });
      messageId ??= String(id.message_id);
    }
    return messageId === undefined ? {} : { messageId };
  }

  /**
   * Replaces the text and the buttons of a message.
   * @param message - the sent message
   * @param response - new text and buttons
   * @throws ChannelError
   */
  async edit(message: MessageReference, response: OutgoingResponse): Promise<void> {
    const place = { chatId: message.conversationId };
    const id = numberOf(message.messageId);
    const markup = { reply_markup: keyboardOf(response) ?? { inline_keyboard: [] } };
    const html = telegramHtml(response.content);
    try {
      await this.#formatted(html, (form) =>
        this.#call(place, (chatId) =>
          form === undefined
            ? this.#api.editMessageText(chatId, id, response.content, markup)
            : this.#api.editMessageText(chatId, id, html, { ...markup, parse_mode: form }),
        ),
      );
    } catch (error) {
      // The message already is as it should be.
      if (error instanceof Error && error.message.includes("message is not modified")) return;
      throw error;
    }
  }

  /**
   * Deletes a message.
   * @param message - the sent message
   * @throws ChannelError
   */
  async remove({ conversationId, messageId }: MessageReference): Promise<void> {
    await this.#call({ chatId: conversationId }, (chatId) =>
      this.#api.deleteMessage(chatId, numberOf(messageId)),
    );
  }

  /**
   * Adds a reaction to a message.
   * @param message - the message
   * @param emoji - one of the emoji that Telegram allows
   * @throws ChannelError
   */
  async react({ conversationId, messageId }: MessageReference, emoji: string): Promise<void> {
    // Telegram checks the emoji; its type lists those of one version.
    const reaction = { type: "emoji", emoji } as Parameters<Api["setMessageReaction"]>[2][number];
    await this.#call({ chatId: conversationId }, (chatId) =>
      this.#api.setMessageReaction(chatId, numberOf(messageId), [reaction]),
    );
  }

  /**
   * Shows that the bot is writing; Telegram hides it after 5 seconds or with the next message.
   * @param place - chat and topic
   */
  async showTyping({ chatId, threadId }: Place): Promise<void> {
    const thread = threadId === undefined ? {} : { message_thread_id: Number(threadId) };
    await this.#api.sendChatAction(this.#groups.telegramId(chatId), "typing", thread);
  }

  /**
   * Asks Telegram who the bot is.
   * @throws ChannelError when the token is not accepted or there is no answer
   */
  async check(): Promise<void> {
    await this.#api.getMe().catch((error: unknown) => {
      throw channelFailure(error);
    });
  }

  get #signal(): ApiSignal {
    return this.#context.signal as ApiSignal;
  }

  async *#fromPolls(me: UserFromGetMe): AsyncGenerator<IncomingMessage> {
    for await (const updates of new UpdatePolls(this.#api, this.#context).read()) {
      const message = await this.#messageOf(updates, me);
      if (message !== undefined) yield message;
    }
  }

  async *#fromWebhook(me: UserFromGetMe): AsyncGenerator<IncomingMessage> {
    const { signal } = this.#context;
    for await (const { updates, accepted } of this.updates.read(signal)) {
      const message = await this.#messageOf(updates, me);
      if (message === undefined) accepted();
      else yield { ...message, acknowledge: accepted };
    }
    throw new ChannelDisconnectedError("telegram", "the webhook was closed");
  }

  /** Reads an update, or the parts of an album. */
  async #messageOf(
    updates: readonly Update[],
    me: UserFromGetMe,
  ): Promise<IncomingMessage | undefined> {
    const { accountId, logger } = this.#context;
    const chats = this.#groups;
    const parts: ReadUpdate[] = [];
    for (const update of updates) {
      const move = moveIn(update);
      if (move !== undefined) await chats.add(move.from, move.to);
      const part = readUpdate(update, me, { accountId, chats });
      const event = part === undefined ? readEvent(update, chats) : undefined;
      if (event !== undefined) this.#context.report?.(event);
      if (part !== undefined) parts.push(part);
    }
    const album = updates[0] && albumOf(updates[0]);
    const read = mergedAlbum(album === undefined ? parts : this.#albums.unseen(album, parts));
    if (read === undefined) return undefined;
    const { message, files, pressId } = read;
    if (pressId !== undefined) {
      await this.#api.answerCallbackQuery(pressId).catch((error: unknown) => {
        logger.debug(`a press of a button was not answered: ${channelFailure(error).message}`);
      });
    }
    if (files.length === 0) return message;
    const attachments: AttachmentMeta[] = [];
    const notes: string[] = [];
    for (const file of files) {
      try {
        attachments.push(await this.#download(file));
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        logger.warn(`a file was not received: ${problem}`);
        notes.push(`[The file ${file.name} could not be received.]`);
      }
    }
    const content = [message.content, ...notes].filter(Boolean).join("\n");
    return { ...message, content, ...(attachments.length === 0 ? {} : { attachments }) };
  }

  async #download({ fileId, name, mimeType }: TelegramFile) {
    const { botToken, apiRoot } = this.settings;
    const { file_path: path } = await this.#api.getFile(fileId);
    if (path === undefined) throw new Error("Telegram does not offer files of this size to bots");
    const { signal } = this.#context;
    const response = await fetch(`${apiRoot}/file/bot${botToken}/${path}`, { signal });
    if (!response.ok || response.body === null) throw new Error(`HTTP status ${response.status}`);
    return this.#context.saveAttachment({ name, mimeType, content: response.body });
  }

  async #sendText(place: Place, response: OutgoingResponse): Promise<string> {
    const options = this.#options(place, response);
    const html = telegramHtml(response.content);
    const sent = await this.#formatted(html, (form) =>
      this.#call(place, (chatId) =>
        form === undefined
          ? this.#api.sendMessage(chatId, response.content, options)
          : this.#api.sendMessage(chatId, html, { ...options, parse_mode: form }),
      ),
    );
    return String(sent.message_id);
  }

  /** Sends plain text when the formatted one shows nothing, or Telegram cannot read it. */
  async #formatted<Result>(
    html: string,
    send: (form: "HTML" | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (!isShown(html)) return await send(undefined);
    try {
      return await send("HTML");
    } catch (error) {
      if (!(error instanceof Error) || !/can't parse entities/i.test(error.message)) throw error;
      return await send(undefined);
    }
  }

  /** Calls the Bot API, again with the new ID of a group that became a supergroup. */
  async #call<Result>(
    { chatId }: Place,
    call: (chatId: string) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await call(this.#groups.telegramId(chatId));
    } catch (error) {
      const moved = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
      if (moved === undefined) throw channelFailure(error);
      await this.#groups.add(chatId, String(moved));
    }
    return await call(this.#groups.telegramId(chatId)).catch((error: unknown) => {
      throw channelFailure(error);
    });
  }

  #options({ threadId }: Place, response: OutgoingResponse) {
    const replyTo = numberOf(response.replyToId);
    const markup = keyboardOf(response);
    return {
      ...(threadId === undefined ? {} : { message_thread_id: Number(threadId) }),
      ...(Number.isInteger(replyTo)
        ? { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }
        : {}),
      ...(markup === undefined ? {} : { reply_markup: markup }),
    };
  }
}

function keyboardOf({ buttons }: OutgoingResponse): InlineKeyboardMarkup | undefined {
  return (
    buttons && {
      inline_keyboard: buttons.map((row) =>
        row.map(({ label, value }) => ({ text: label, callback_data: value })),
      ),
    }
  );
}

function captionOf(caption: string) {
  const html = telegramHtml(caption);
  if (isShown(html)) return { caption: html, parse_mode: "HTML" as const };
  return caption.trim() === "" ? {} : { caption };
}
