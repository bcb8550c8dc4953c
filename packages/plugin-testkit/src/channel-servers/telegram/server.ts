import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeWithConnections, listenOnLoopback, loopbackHost } from "../../loopback.js";
import { type Fields, fieldsOf, json } from "./fields.js";
import type { TelegramChat, TelegramPerson, TelegramSent, TelegramSentFile } from "./message.js";
import { CAPTION_LIMIT, readButtons, readText, TEXT_LIMIT, TelegramRefusal } from "./rules.js";
import { TelegramUpdates, type TelegramWebhook } from "./updates.js";

/** Token that the server accepts unless another one is given. */
const TOKEN = "123456:AAabcdefghijklmnopqrstuvwxyz0123456";
/** Largest file that the Bot API offers to bots, in bytes. */
const DOWNLOAD_LIMIT = 20 * 1024 * 1024;
const BOT = {
  id: 123456,
  is_bot: true,
  first_name: "Helper",
  username: "helper_bot",
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
};

const ALICE: TelegramPerson = { id: 42, first_name: "Alice", username: "alice" };

/**
 * Fake of Telegram's Bot API, which checks requests as Telegram does: token, chats, topics, lengths, formatting,
 * buttons, rate limits, confirmed updates and conflicts between polling and a webhook.
 */
export class TelegramServer implements AsyncDisposable {
  readonly token: string;
  /** Messages that the bot sent, oldest first. */
  readonly sent: TelegramSent[] = [];
  /** IDs of deleted messages. */
  readonly deleted: number[] = [];
  /** Answered presses of buttons. */
  readonly answered: string[] = [];
  readonly actions: { readonly chatId: number; readonly action: string }[] = [];
  readonly reactions: { readonly messageId: number; readonly emoji: string }[] = [];
  /** Names of the called methods. */
  readonly calls: string[] = [];
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });
  readonly #chats = new Map<number, TelegramChat>([[ALICE.id, { id: ALICE.id, type: "private" }]]);
  /** Groups that became supergroups. */
  readonly #moved = new Map<number, number>();
  readonly #files = new Map<string, Buffer>();
  readonly #refusals: { readonly method: string; readonly refusal: TelegramRefusal }[] = [];
  readonly #updates = new TelegramUpdates();
  #ids = 1000;

  /** @param token - token of the bot */
  constructor(token: string) {
    this.token = token;
  }

  /** URL of the server, for `apiRoot`. */
  get url(): string {
    return `http://${loopbackHost(this.#server)}`;
  }

  /** Number of updates that the bot has not confirmed. */
  get unconfirmed(): number {
    return this.#updates.unconfirmed;
  }

  /** The webhook that the bot set. */
  get webhook(): TelegramWebhook | undefined {
    return this.#updates.webhook;
  }

  /** Starts to listen on a free port of the loopback interface. */
  async listen(): Promise<void> {
    await listenOnLoopback(this.#server);
  }

  /**
   * Adds a chat.
   * @param chat - the chat
   */
  addChat(chat: TelegramChat): void {
    this.#chats.set(chat.id, chat);
  }

  /**
   * Adds a file that a message can have.
   * @param fileId - ID of the file
   * @param content - its bytes
   */
  addFile(fileId: string, content: Uint8Array): void {
    this.#files.set(fileId, Buffer.from(content));
  }

  /**
   * Lets a person write a message.
   * @param fields - fields of the message; by default Alice writes in the private chat
   * @returns the update
   */
  write(fields: Fields): Fields {
    const from = (fields.from as TelegramPerson | undefined) ?? ALICE;
    const chat = (fields.chat as TelegramChat | undefined) ?? { id: from.id, type: "private" };
    this.#chats.set(chat.id, { ...this.#chats.get(chat.id), ...chat });
    const message_id = this.#nextId();
    const date = Math.floor(Date.now() / 1000);
    return this.send({ message: { message_id, date, is_bot: false, ...fields, from, chat } });
  }

  /**
   * Makes a supergroup of a group, whose message numbers begin at 1, and sends a service message in each of them.
   * @param groupId - ID of the group
   * @param supergroupId - ID of the supergroup
   */
  upgrade(groupId: number, supergroupId: number): void {
    const group = this.#chats.get(groupId);
    if (group === undefined) throw new Error(`the server has no chat ${groupId}`);
    this.#moved.set(groupId, supergroupId);
    this.#chats.set(supergroupId, { ...group, id: supergroupId, type: "supergroup" });
    this.write({ chat: { id: groupId, type: "group" }, migrate_to_chat_id: supergroupId });
    this.write({
      ...{ message_id: 1, migrate_from_chat_id: groupId },
      chat: { id: supergroupId, type: "supergroup" },
    });
  }

  /**
   * Lets a person press a button.
   * @param sent - message with the button
   * @param label - text of the button
   * @param from - the person
   */
  press(sent: TelegramSent, label: string, from: TelegramPerson = ALICE): void {
    const button = sent.buttons.flat().find(({ text }) => text === label);
    if (button === undefined) throw new Error(`the message has no button "${label}"`);
    const chat = this.#chats.get(sent.chatId);
    const message = { message_id: sent.messageId, date: 1, chat, text: sent.text };
    const id = String(this.#nextId());
    this.send({ callback_query: { id, from, message, chat_instance: "1", data: button.data } });
  }

  /**
   * Adds an update as it is.
   * @param content - fields of the update without its ID
   * @returns the update
   */
  send(content: Fields): Fields {
    const update = { update_id: this.#nextId(), ...content };
    this.#updates.add(update);
    return update;
  }

  /**
   * Makes the next calls of a method fail.
   * @param method - name of the method
   * @param failures - status, description and parameters of each
   */
  refuse(
    method: string,
    ...failures: readonly (readonly [status: number, description: string, parameters?: Fields])[]
  ): void {
    for (const failure of failures) {
      this.#refusals.push({ method, refusal: new TelegramRefusal(...failure) });
    }
  }

  /** Ends the connection of the poll that waits, as a network does. */
  dropPoll(): void {
    this.#updates.endPoll();
    this.#server.closeAllConnections();
  }

  /** Closes the server and its connections. */
  async close(): Promise<void> {
    await closeWithConnections(this.#server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "" } = request;
    const [, isFile, token = "", rest = ""] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(url) ?? [];
    if (isFile !== undefined) {
      const file = token === this.token ? this.#files.get(rest) : undefined;
      response.writeHead(file === undefined ? 404 : 200).end(file);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const reply = (status: number, content: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(content));
    };
    try {
      if (token !== this.token) throw new TelegramRefusal(401, "Unauthorized");
      this.calls.push(rest);
      const fields = await fieldsOf(request, body);
      const planned = this.#refusals.findIndex(({ method }) => method === rest);
      if (planned >= 0) throw this.#refusals.splice(planned, 1)[0]?.refusal;
      reply(200, { ok: true, result: await this.#call(rest, fields, response) });
    } catch (error) {
      if (!(error instanceof TelegramRefusal)) throw error;
      const { status, message: description, parameters } = error;
      const more = Object.keys(parameters).length === 0 ? {} : { parameters };
      reply(status, { ok: false, error_code: status, description, ...more });
    }
  }

  async #call(method: string, fields: Fields, response: ServerResponse): Promise<unknown> {
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
        return this.#edit(fields);
      case "deleteMessage":
        this.deleted.push(this.#sentOf(fields, "message to delete not found").messageId);
        return true;
      case "setMessageReaction": {
        const [reaction] = json(fields.reaction) as { emoji: string }[];
        const messageId = Number(fields.message_id);
        this.reactions.push({ messageId, emoji: reaction?.emoji ?? "" });
        return true;
      }
      case "sendChatAction":
        this.actions.push({ chatId: this.#chatOf(fields).id, action: String(fields.action) });
        return true;
      case "answerCallbackQuery":
        this.answered.push(String(fields.callback_query_id));
        return true;
      case "getFile": {
        const file_id = String(fields.file_id);
        const file = this.#files.get(file_id);
        if (file === undefined) throw new TelegramRefusal(400, "Bad Request: invalid file_id");
        if (file.length > DOWNLOAD_LIMIT) {
          throw new TelegramRefusal(400, "Bad Request: file is too big");
        }
        const about = { file_id, file_unique_id: file_id, file_size: file.length };
        return { ...about, file_path: file_id };
      }
      default:
        throw new TelegramRefusal(404, "Not Found");
    }
  }

  #sendMessage(fields: Fields): object {
    const chat = this.#chatOf(fields);
    const source = String(fields.text ?? "");
    const text = readText(fields.text, fields.parse_mode, TEXT_LIMIT);
    return this.#record({ chatId: chat.id, text, source, ...this.#placed(chat, fields) });
  }

  async #sendFile(kind: TelegramSentFile["kind"], fields: Fields): Promise<object> {
    const chat = this.#chatOf(fields);
    const { caption, parse_mode: form } = fields;
    // A caption may be empty, a text may not.
    const isEmpty = caption === undefined || caption === "";
    const text = isEmpty ? "" : readText(caption, form, CAPTION_LIMIT);
    const upload = [fields[kind], ...Object.values(fields)].find((each) => each instanceof File);
    if (!(upload instanceof File)) {
      throw new TelegramRefusal(400, `Bad Request: there is no ${kind} in the request`);
    }
    const content = new Uint8Array(await upload.arrayBuffer());
    const file = { kind, name: upload.name, bytes: upload.size, content };
    const placed = this.#placed(chat, fields);
    return this.#record({ chatId: chat.id, text, source: String(caption ?? ""), file, ...placed });
  }

  #placed(chat: TelegramChat, fields: Fields) {
    const { message_thread_id: thread } = fields;
    const threadId = thread === undefined ? undefined : Number(thread);
    if (threadId !== undefined && chat.topics?.includes(threadId) !== true) {
      throw new TelegramRefusal(400, "Bad Request: message thread not found");
    }
    const reply = json(fields.reply_parameters) as { message_id?: number } | undefined;
    return { threadId, replyToId: reply?.message_id, buttons: readButtons(fields.reply_markup) };
  }

  #edit(fields: Fields): object {
    const sent = this.#sentOf(fields, "message to edit not found");
    const text = readText(fields.text, fields.parse_mode, TEXT_LIMIT);
    const buttons = readButtons(fields.reply_markup);
    if (text === sent.text && JSON.stringify(buttons) === JSON.stringify(sent.buttons)) {
      const reason =
        "message is not modified: specified new message content and reply markup are exactly the same";
      throw new TelegramRefusal(400, `Bad Request: ${reason}`);
    }
    sent.history.push(sent.text);
    Object.assign(sent, { text, buttons, source: String(fields.text) });
    return this.#message(sent);
  }

  #record(sent: Omit<TelegramSent, "messageId" | "history">): object {
    const recorded = { ...sent, messageId: this.#nextId(), history: [] };
    this.sent.push(recorded);
    return this.#message(recorded);
  }

  #message({ messageId, chatId, text }: TelegramSent): object {
    return { message_id: messageId, date: 1, chat: this.#chats.get(chatId), from: BOT, text };
  }

  #chatOf({ chat_id: id }: Fields): TelegramChat {
    const moved = this.#moved.get(Number(id));
    if (moved !== undefined) {
      const reason = "group chat was upgraded to a supergroup chat";
      throw new TelegramRefusal(400, `Bad Request: ${reason}`, { migrate_to_chat_id: moved });
    }
    const chat = this.#chats.get(Number(id));
    if (chat === undefined) throw new TelegramRefusal(400, "Bad Request: chat not found");
    return chat;
  }

  #sentOf(fields: Fields, missing: string): TelegramSent {
    const chat = this.#chatOf(fields);
    const id = Number(fields.message_id);
    const found = this.sent.find(({ chatId, messageId }) => chatId === chat.id && messageId === id);
    if (found === undefined) throw new TelegramRefusal(400, `Bad Request: ${missing}`);
    return found;
  }

  #nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }
}

/**
 * Starts a fake of Telegram's Bot API for tests.
 * @param token - token of the bot
 */
export async function startTelegramServer(token: string = TOKEN): Promise<TelegramServer> {
  const server = new TelegramServer(token);
  await server.listen();
  return server;
}
