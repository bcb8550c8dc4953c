import type { Fields } from "./fields.js";
import type { TelegramChat, TelegramSent } from "./message.js";
import { badRequest, TelegramRefusal } from "./refusal.js";

/** Chats of a bot, and what was written in them. */
export class TelegramConversations {
  /** Messages that the bot sent, oldest first. */
  readonly sent: TelegramSent[] = [];
  /** IDs of deleted messages. */
  readonly deleted: number[] = [];
  readonly #chats = new Map<number, TelegramChat>();
  /** Groups that became supergroups. */
  readonly #moved = new Map<number, number>();
  /** Chats that the bot may no longer write to. */
  readonly #closed = new Set<number>();
  /** Numbers of the messages of people, by chat. */
  readonly #received = new Map<number, Set<number>>();
  #ids = 1000;

  /** Returns a number that was not used before. */
  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  /** Adds a chat, or fields to a chat. */
  add(chat: TelegramChat): void {
    this.#chats.set(chat.id, { ...this.#chats.get(chat.id), ...chat });
  }

  /** Returns a chat. */
  get(id: number): TelegramChat | undefined {
    return this.#chats.get(id);
  }

  /** Records a message of a person. */
  received(chatId: number, messageId: number): void {
    const known = this.#received.get(chatId) ?? new Set();
    this.#received.set(chatId, known.add(messageId));
  }

  /** Records that a group became a supergroup. */
  move(groupId: number, supergroupId: number): void {
    const group = this.#chats.get(groupId);
    if (group === undefined) throw new Error(`the server has no chat ${groupId}`);
    this.#moved.set(groupId, supergroupId);
    this.#chats.set(supergroupId, { ...group, id: supergroupId, type: "supergroup" });
  }

  /** Rejects further messages of the bot in a chat. */
  close(chatId: number): void {
    this.#closed.add(chatId);
  }

  /**
   * Returns the chat that a request names.
   * @param fields - fields of the request
   * @throws TelegramRefusal
   */
  chatOf({ chat_id: id }: Fields): TelegramChat {
    if (id === undefined || id === "") throw badRequest("chat_id is empty");
    const moved = this.#moved.get(Number(id));
    if (moved !== undefined) {
      const reason = "group chat was upgraded to a supergroup chat";
      throw new TelegramRefusal(400, `Bad Request: ${reason}`, { migrate_to_chat_id: moved });
    }
    const chat = this.#chats.get(Number(id));
    if (chat === undefined) throw badRequest("chat not found");
    if (this.#closed.has(chat.id)) {
      const reason =
        chat.type === "private"
          ? "bot was blocked by the user"
          : `bot was kicked from the ${chat.type} chat`;
      throw new TelegramRefusal(403, `Forbidden: ${reason}`);
    }
    return chat;
  }

  /**
   * Returns the message of the bot that a request names.
   * @param fields - fields of the request
   * @param missing - description of the error when there is no such message
   * @param foreign - description of the error when a person wrote it
   * @throws TelegramRefusal
   */
  sentOf(fields: Fields, missing: string, foreign: string): TelegramSent {
    const chat = this.chatOf(fields);
    const id = Number(fields.message_id);
    const found = this.sent.find(({ chatId, messageId }) => chatId === chat.id && messageId === id);
    if (found !== undefined && !this.deleted.includes(id)) return found;
    throw badRequest(this.#received.get(chat.id)?.has(id) === true ? foreign : missing);
  }

  /** Returns true if a chat has a message. */
  has(chatId: number, messageId: number): boolean {
    if (this.#received.get(chatId)?.has(messageId) === true) return true;
    return this.sent.some((each) => each.chatId === chatId && each.messageId === messageId);
  }
}
