import type { ServerResponse } from "node:http";
import type { TelegramConversations } from "./conversations.js";
import { type Fields, json } from "./fields.js";
import type { TelegramChat, TelegramSent, TelegramSentFile } from "./message.js";
import { badRequest, TelegramRefusal } from "./refusal.js";
import {
  CAPTION_LIMIT,
  checkAction,
  checkUpload,
  readButtons,
  readReaction,
  readText,
  TEXT_LIMIT,
} from "./rules.js";
import type { TelegramUpdates } from "./updates.js";

/** Largest file that the Bot API offers to bots, in bytes. */
const DOWNLOAD_LIMIT = 20 * 1024 * 1024;
/** Maximum length of the notice after a press of a button. */
const NOTICE_LIMIT = 200;
const BOT = {
  id: 123456,
  is_bot: true,
  first_name: "Helper",
  username: "helper_bot",
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
};
const UNCHANGED =
  "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

/** Methods of the Bot API. */
export class TelegramMethods {
  readonly answered: string[] = [];
  readonly actions: { readonly chatId: number; readonly action: string }[] = [];
  readonly reactions: { readonly messageId: number; readonly emoji: string }[] = [];
  readonly files = new Map<string, Buffer>();
  /** Presses of buttons that the bot can still answer. */
  readonly presses = new Set<string>();
  readonly #conversations: TelegramConversations;
  readonly #updates: TelegramUpdates;

  /**
   * @param conversations - chats and messages
   * @param updates - updates that the bot has not confirmed
   */
  constructor(conversations: TelegramConversations, updates: TelegramUpdates) {
    this.#conversations = conversations;
    this.#updates = updates;
  }

  /**
   * Calls a method.
   * @param fields - fields of the request
   * @param response - response whose end ends a poll
   * @returns `result` of the answer
   * @throws TelegramRefusal
   */
  async call(method: string, fields: Fields, response: ServerResponse): Promise<unknown> {
    switch (method) {
      case "getMe":
        return BOT;
      case "getUpdates":
        return this.#updates.poll(fields, response);
      case "setWebhook":
        this.#updates.setWebhook(fields);
        return true;
      case "deleteWebhook":
        this.#updates.setWebhook(undefined);
        return true;
      case "sendMessage":
        return this.#sendMessage(fields);
      case "sendPhoto":
      case "sendDocument":
      case "sendAudio":
      case "sendVoice":
        return this.#sendFile(method.slice(4).toLowerCase() as TelegramSentFile["kind"], fields);
      case "editMessageText":
        return this.#edit(fields, "text");
      case "editMessageCaption":
        return this.#edit(fields, "caption");
      case "deleteMessage":
        return this.#delete(fields);
      case "setMessageReaction":
        return this.#react(fields);
      case "sendChatAction": {
        const { id: chatId } = this.#conversations.chatOf(fields);
        this.actions.push({ chatId, action: checkAction(fields.action) });
        return true;
      }
      case "answerCallbackQuery":
        return this.#answerPress(fields);
      case "getFile":
        return this.#file(fields);
      default:
        throw new TelegramRefusal(404, "Not Found: method not found");
    }
  }

  #sendMessage(fields: Fields): object {
    const chat = this.#conversations.chatOf(fields);
    const { text: source, parse_mode: form } = fields;
    const text = readText({ text: source, form, entities: json(fields.entities) }, TEXT_LIMIT);
    return this.#record({
      ...{ chatId: chat.id, text, source: String(source) },
      ...this.#placed(chat, fields),
    });
  }

  async #sendFile(kind: TelegramSentFile["kind"], fields: Fields): Promise<object> {
    const chat = this.#conversations.chatOf(fields);
    const text = captionOf(fields);
    const file = await this.#upload(kind, fields);
    const placed = this.#placed(chat, fields);
    const source = String(fields.caption ?? "");
    return this.#record({ chatId: chat.id, text, source, file, ...placed });
  }

  async #upload(kind: TelegramSentFile["kind"], fields: Fields): Promise<TelegramSentFile> {
    const given = fields[kind];
    const upload = [given, ...Object.values(fields)].find((each) => each instanceof File);
    if (upload instanceof File) {
      checkUpload(kind, upload.size);
      const content = new Uint8Array(await upload.arrayBuffer());
      return { kind, name: upload.name, bytes: upload.size, content };
    }
    if (typeof given !== "string") throw badRequest(`there is no ${kind} in the request`);
    const known = this.files.get(given);
    if (known !== undefined) return { kind, name: given, bytes: known.length, content: known };
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw badRequest("wrong file identifier/HTTP URL specified");
    }
    // Telegram downloads it itself.
    const name = url.pathname.split("/").at(-1) ?? "";
    return { kind, name, bytes: 0, content: new Uint8Array() };
  }

  #placed(chat: TelegramChat, fields: Fields) {
    const { message_thread_id: thread } = fields;
    const threadId = thread === undefined ? undefined : Number(thread);
    if (threadId !== undefined && chat.topics?.includes(threadId) !== true) {
      throw badRequest("message thread not found");
    }
    return {
      threadId,
      replyToId: this.#replied(chat, json(fields.reply_parameters)),
      buttons: readButtons(fields.reply_markup),
    };
  }

  #replied(chat: TelegramChat, parameters: unknown): number | undefined {
    if (parameters === undefined) return undefined;
    const { message_id: id, allow_sending_without_reply: mayLack } = Object(parameters) as Fields;
    if (typeof id !== "number") throw badRequest("can't parse reply parameters");
    if (this.#conversations.has(chat.id, id)) return id;
    if (mayLack === true) return undefined;
    throw badRequest("message to be replied not found");
  }

  #edit(fields: Fields, part: "text" | "caption"): object {
    const missing = "message to edit not found";
    const sent = this.#conversations.sentOf(fields, missing, "message can't be edited");
    if ((part === "text") !== (sent.file === undefined)) {
      throw badRequest(`there is no ${part} in the message to edit`);
    }
    const { parse_mode: form } = fields;
    const entities = json(fields.entities);
    const text =
      part === "text"
        ? readText({ text: fields.text, form, entities }, TEXT_LIMIT)
        : captionOf(fields);
    const buttons = readButtons(fields.reply_markup);
    if (text === sent.text && JSON.stringify(buttons) === JSON.stringify(sent.buttons)) {
      throw badRequest(UNCHANGED);
    }
    sent.history.push(sent.text);
    Object.assign(sent, { text, buttons, source: String(fields[part] ?? "") });
    return this.#message(sent);
  }

  #delete(fields: Fields): true {
    const missing = "message to delete not found";
    const sent = this.#conversations.sentOf(fields, missing, "message can't be deleted");
    this.#conversations.deleted.push(sent.messageId);
    return true;
  }

  #react(fields: Fields): true {
    const { id: chatId } = this.#conversations.chatOf(fields);
    const messageId = Number(fields.message_id);
    const isKnown = this.#conversations.has(chatId, messageId);
    if (!isKnown) throw badRequest("message to react not found");
    this.reactions.push({ messageId, emoji: readReaction(json(fields.reaction)) ?? "" });
    return true;
  }

  #answerPress({ callback_query_id: id, text }: Fields): true {
    // A press is answered once, and Telegram waits some seconds for it.
    if (!this.presses.delete(String(id))) {
      throw badRequest("query is too old and response timeout expired or query ID is invalid");
    }
    if (typeof text === "string" && text.length > NOTICE_LIMIT)
      throw badRequest("MESSAGE_TOO_LONG");
    this.answered.push(String(id));
    return true;
  }

  #file({ file_id: id }: Fields): object {
    const file_id = String(id);
    const file = this.files.get(file_id);
    if (file === undefined) throw badRequest("invalid file_id");
    if (file.length > DOWNLOAD_LIMIT) throw badRequest("file is too big");
    const about = { file_id, file_unique_id: file_id, file_size: file.length };
    return { ...about, file_path: file_id };
  }

  #record(sent: Omit<TelegramSent, "messageId" | "history">): object {
    const recorded = { ...sent, messageId: this.#conversations.nextId(), history: [] };
    this.#conversations.sent.push(recorded);
    return this.#message(recorded);
  }

  #message({ messageId, chatId, text }: TelegramSent): object {
    return {
      ...{ message_id: messageId, date: 1, from: BOT, text },
      chat: this.#conversations.get(chatId),
    };
  }
}

/** Returns the caption that people see; it may be empty, a text may not. */
function captionOf({ caption: text, parse_mode: form, caption_entities: given }: Fields): string {
  if (text === undefined || text === "") return "";
  return readText({ text, form, entities: json(given) }, CAPTION_LIMIT);
}
