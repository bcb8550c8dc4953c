import {
  ChannelSendFailedError,
  type MessageReference,
  type OutgoingResponse,
  type SendPart,
  type SentMessage,
  SentParts,
} from "@openclaw/plugin-sdk/channel-core";
import { type Api, GrammyError, InputFile } from "grammy";
import type { InlineKeyboardMarkup, Message } from "grammy/types";
import { channelFailure } from "./failures.js";
import { fits, telegramHtml } from "./formatting.js";
import { numberOf } from "./incoming.js";
import type { MovedGroups } from "./moved-groups.js";
import { methodFor, quotedName, refusalOf } from "./outgoing-files.js";

/** Maximum length of a text, in characters. */
const TEXT_LIMIT = 4096;
/** Maximum length of the text below a file, in characters. */
const CAPTION_LIMIT = 1024;

/** Place of a message in Telegram. */
export interface Place {
  readonly chatId: string;
  readonly threadId?: string | undefined;
}

/** Sends the messages of a bot. */
export class TelegramSender {
  readonly #api: Api;
  readonly #groups: MovedGroups;
  readonly #parts = new SentParts();

  /**
   * @param api - Bot API
   * @param groups - groups that became supergroups
   */
  constructor(api: Api, groups: MovedGroups) {
    this.#api = api;
    this.#groups = groups;
  }

  /**
   * Sends a message. A file that Telegram would not take is named in a note.
   * @param place - chat and topic
   * @param response - text, files and buttons
   * @throws ChannelError
   */
  send(place: Place, response: OutgoingResponse): Promise<SentMessage> {
    return this.#parts.send(response, (part) => this.#sendParts(place, response, part));
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
      const problem = error instanceof Error ? error.message : "";
      // The message already is as it should be.
      if (problem.includes("message is not modified")) return;
      if (!problem.includes("there is no text in the message to edit")) throw error;
      // The text of a message with a file is its caption.
      const caption = { ...markup, ...captionOf(response.content) };
      await this.#call(place, (chatId) => this.#api.editMessageCaption(chatId, id, caption));
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
    // Telegram checks the emoji; its type lists those of one version. It knows them without the mark of their colour.
    const plain = emoji.replaceAll("\uFE0F", "");
    const reaction = { type: "emoji", emoji: plain } as Parameters<
      Api["setMessageReaction"]
    >[2][number];
    try {
      await this.#call({ chatId: conversationId }, (chatId) =>
        this.#api.setMessageReaction(chatId, numberOf(messageId), [reaction]),
      );
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("REACTION_INVALID")) throw error;
      const problem = `Telegram does not allow the reaction ${emoji} here; send one that it knows, for example 👍, ❤ or 🎉`;
      throw new ChannelSendFailedError("telegram", problem, { cause: error });
    }
  }

  /**
   * Shows that the bot is writing; Telegram hides it after 5 seconds or with the next message.
   * @param place - chat and topic
   */
  async showTyping({ chatId, threadId }: Place): Promise<void> {
    const thread = threadId === undefined ? {} : { message_thread_id: Number(threadId) };
    await this.#api.sendChatAction(this.#groups.telegramId(chatId), "typing", thread);
  }

  async #sendParts(place: Place, response: OutgoingResponse, part: SendPart): Promise<SentMessage> {
    const { content, attachments = [] } = response;
    const files = attachments.filter((file) => refusalOf(file) === undefined);
    const isCaption = files.length === 1 && content.length <= CAPTION_LIMIT;
    const sent: SentMessage[] = [];
    const text = (message: OutgoingResponse) => part(() => this.#sendText(place, message));
    if (content.trim() !== "" && !isCaption) sent.push(await text(response));
    for (const file of files) {
      const source =
        file.path === undefined ? file.url : new InputFile(file.path, quotedName(file));
      if (source === undefined) continue;
      const caption = isCaption ? content : "";
      const options = { ...this.#options(place, response), ...captionOf(caption) };
      const method = methodFor(file);
      const send = async () =>
        receiptOf(
          await this.#call<Message>(place, (chatId) => this.#api[method](chatId, source, options)),
        );
      sent.push(await part(send));
    }
    for (const note of attachments.flatMap((file) => refusalOf(file) ?? [])) {
      sent.push(await text({ content: note }));
    }
    return sent[0] ?? {};
  }

  async #sendText(place: Place, response: OutgoingResponse): Promise<SentMessage> {
    const options = this.#options(place, response);
    const html = telegramHtml(response.content);
    const sent = await this.#formatted(html, (form) =>
      this.#call(place, (chatId) =>
        form === undefined
          ? this.#api.sendMessage(chatId, response.content, options)
          : this.#api.sendMessage(chatId, html, { ...options, parse_mode: form }),
      ),
    );
    return receiptOf(sent);
  }

  /** Sends plain text when the formatted one shows nothing or is too long, or Telegram cannot read it. */
  async #formatted<Result>(
    html: string,
    send: (form: "HTML" | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (!fits(html, TEXT_LIMIT)) return await send(undefined);
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

function receiptOf({ message_id: id }: Message): SentMessage {
  return { messageId: String(id) };
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
  if (fits(html, CAPTION_LIMIT)) return { caption: html, parse_mode: "HTML" as const };
  return caption.trim() === "" ? {} : { caption };
}
