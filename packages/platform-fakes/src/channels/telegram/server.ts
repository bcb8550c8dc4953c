import type { ServerResponse } from "node:http";
import { type LoopbackRequest, LoopbackServer } from "../../loopback-server.js";
import { RateLimits } from "../rate-limits.js";
import { TelegramConversations } from "./conversations.js";
import { type Fields, fieldsOf } from "./fields.js";
import type { TelegramChat, TelegramPerson, TelegramSent } from "./message.js";
import { TelegramMethods } from "./methods.js";
import { TelegramRefusal } from "./refusal.js";
import { REQUEST_BYTES } from "./rules.js";
import { type PostUpdate, TelegramUpdates, type TelegramWebhook } from "./updates.js";

/** Token that the server accepts unless another one is given. */
const TOKEN = "123456:AAabcdefghijklmnopqrstuvwxyz0123456";
/** Form of a token; a request with another one has no path that the Bot API knows. */
const TOKEN_FORM = /^\d+:[\w-]{30,}$/;

const ALICE: TelegramPerson = { id: 42, first_name: "Alice", username: "alice" };

/**
 * Fake of Telegram's Bot API, which checks requests as Telegram does: token, chats, topics, lengths, formatting,
 * buttons, files, reactions, presses, confirmed updates and conflicts between polling and a webhook. The limits are
 * those of https://core.telegram.org/bots/api, the descriptions those that its server answers with.
 */
export class TelegramServer implements AsyncDisposable {
  readonly token: string;
  /** Names of the called methods. */
  readonly calls: string[] = [];
  /** Limits of messages, once a test enforces them. */
  readonly rates = new RateLimits();
  readonly #server = new LoopbackServer((request, response) => this.#answer(request, response));
  readonly #refusals: { readonly method: string; readonly refusal: TelegramRefusal }[] = [];
  /** Methods whose next call gets no answer. */
  readonly #held: string[] = [];
  readonly #updates = new TelegramUpdates();
  readonly #conversations = new TelegramConversations();
  readonly #methods = new TelegramMethods(this.#conversations, this.#updates);

  /** @param token - token of the bot */
  constructor(token: string) {
    this.token = token;
    this.addChat({ id: ALICE.id, type: "private" });
  }

  /** Messages that the bot sent, oldest first. */
  get sent(): readonly TelegramSent[] {
    return this.#conversations.sent;
  }

  /** IDs of deleted messages. */
  get deleted(): readonly number[] {
    return this.#conversations.deleted;
  }

  /** Answered presses of buttons. */
  get answered(): readonly string[] {
    return this.#methods.answered;
  }

  get actions(): TelegramMethods["actions"] {
    return this.#methods.actions;
  }

  get reactions(): TelegramMethods["reactions"] {
    return this.#methods.reactions;
  }

  /** URL of the server, for `apiRoot`. */
  get url(): string {
    return this.#server.origin;
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
    await this.#server.listen();
  }

  /** Adds a chat. */
  addChat(chat: TelegramChat): void {
    this.#conversations.add(chat);
  }

  /** Lets a person block the bot, or a group remove it. */
  block(chatId: number): void {
    this.#conversations.close(chatId);
  }

  /**
   * Adds a file that a message can have.
   * @param content - its bytes
   */
  addFile(fileId: string, content: Uint8Array): void {
    this.#methods.files.set(fileId, Buffer.from(content));
  }

  /**
   * Lets a person write a message.
   * @param fields - fields of the message; by default Alice writes in the private chat
   * @returns the update
   */
  write(fields: Fields): Fields {
    const from = (fields.from as TelegramPerson | undefined) ?? ALICE;
    const chat = (fields.chat as TelegramChat | undefined) ?? { id: from.id, type: "private" };
    this.addChat(chat);
    const message_id = Number(fields.message_id ?? this.#conversations.nextId());
    this.#conversations.received(chat.id, message_id);
    const date = Math.floor(Date.now() / 1000);
    return this.send({ message: { date, is_bot: false, ...fields, message_id, from, chat } });
  }

  /** Makes a supergroup of a group, whose message numbers begin at 1, and sends a service message in each of them. */
  upgrade(groupId: number, supergroupId: number): void {
    this.#conversations.move(groupId, supergroupId);
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
   */
  press(sent: TelegramSent, label: string, from: TelegramPerson = ALICE): void {
    const button = sent.buttons.flat().find(({ text }) => text === label);
    if (button === undefined) throw new Error(`the message has no button "${label}"`);
    const chat = this.#conversations.get(sent.chatId);
    const message = { message_id: sent.messageId, date: 1, chat, text: sent.text };
    const id = String(this.#conversations.nextId());
    this.#methods.presses.add(id);
    this.send({ callback_query: { id, from, message, chat_instance: "1", data: button.data } });
  }

  /** Lets the time pass in which the bot can answer the presses that it has not answered. */
  expirePresses(): void {
    this.#methods.presses.clear();
  }

  /**
   * Sends the updates that the bot has not confirmed to its webhook, as Telegram does: those of one chat one after
   * another, each again after the next call when it is not answered with 2xx.
   * @param post - sends an update and returns the status of the answer
   */
  deliver(post: PostUpdate): Promise<void> {
    return this.#updates.deliver(post);
  }

  /**
   * Adds an update as it is.
   * @param content - fields of the update without its ID
   * @returns the update
   */
  send(content: Fields): Fields {
    const update = { update_id: this.#conversations.nextId(), ...content };
    this.#updates.add(update);
    return update;
  }

  /**
   * Makes the next calls of a method fail.
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

  /** Leaves the next call of a method without effect and without an answer, until its caller ends the connection. */
  hold(method: string): void {
    this.#held.push(method);
  }

  /** Ends the connection of the poll that waits, as a network does. */
  dropPoll(): void {
    this.#updates.endPoll();
    this.#server.http.closeAllConnections();
  }

  /** Closes the server and its connections. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: LoopbackRequest, response: ServerResponse): Promise<void> {
    const [path = ""] = request.path.split("?");
    const [, isFile, token = "", rest = ""] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(path) ?? [];
    if (isFile !== undefined) {
      const file = token === this.token ? this.#methods.files.get(rest) : undefined;
      response.writeHead(file === undefined ? 404 : 200).end(file);
      return;
    }
    const reply = (status: number, content: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(content));
    };
    try {
      if (request.body.length > REQUEST_BYTES) {
        throw new TelegramRefusal(413, "Request Entity Too Large");
      }
      if (!TOKEN_FORM.test(token)) throw new TelegramRefusal(404, "Not Found");
      if (token !== this.token) throw new TelegramRefusal(401, "Unauthorized");
      this.calls.push(rest);
      const held = this.#held.indexOf(rest);
      if (held >= 0) {
        this.#held.splice(held, 1);
        return;
      }
      const fields = await fieldsOf(request);
      const planned = this.#refusals.findIndex(({ method }) => method === rest);
      if (planned >= 0) throw this.#refusals.splice(planned, 1)[0]?.refusal;
      this.#checkRate(rest, fields);
      reply(200, { ok: true, result: await this.#methods.call(rest, fields, response) });
    } catch (error) {
      if (!(error instanceof TelegramRefusal)) throw error;
      reply(error.status, error.body);
    }
  }

  #checkRate(method: string, fields: Fields): void {
    if (!method.startsWith("send") || method === "sendChatAction") return;
    const key = String(fields.chat_id);
    const minute = key.startsWith("-") ? [{ key, count: MOST_A_MINUTE, ms: 60_000 }] : [];
    const all = { key: "all", count: MOST_A_SECOND, ms: 1000 };
    const wait = this.rates.take({ key, count: 1, ms: 1000 }, ...minute, all);
    if (wait === 0) return;
    const retry_after = Math.ceil(wait / 1000);
    throw new TelegramRefusal(429, `Too Many Requests: retry after ${retry_after}`, {
      retry_after,
    });
  }
}

/** Messages of a bot in a second, and in a minute in one group: https://core.telegram.org/bots/faq, "hitting limits". */
const MOST_A_SECOND = 30;
const MOST_A_MINUTE = 20;

/**
 * Starts a fake of Telegram's Bot API for tests.
 * @param token - token of the bot
 */
export async function startTelegramServer(token: string = TOKEN): Promise<TelegramServer> {
  const server = new TelegramServer(token);
  await server.listen();
  return server;
}
