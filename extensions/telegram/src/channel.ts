import type {
  Channel,
  ChannelContext,
  IncomingMessage,
  MessageReference,
  OutgoingResponse,
  SentMessage,
  StatusUpdate,
} from "@openclaw/plugin-sdk/channel-core";
import { ChannelSendFailedError } from "@openclaw/plugin-sdk/channel-core";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { TelegramAccount } from "./account.js";
import { readSettings } from "./settings.js";

/** Telegram, with one bot for each account. */
export class TelegramChannel implements Channel {
  readonly name = "telegram";
  readonly capabilities = { textLimit: 4096, buttons: true, streaming: true };
  readonly #accounts = new Map<string, TelegramAccount>();

  /**
   * Returns the account whose webhook has a secret.
   * @param matches - returns true for the secret of the request
   */
  accountOfWebhook(matches: (secret: string) => boolean): TelegramAccount | undefined {
    return [...this.#accounts.values()].find(
      ({ settings: { updates } }) => updates.by === "webhook" && matches(updates.secret),
    );
  }

  async *start(context: ChannelContext): AsyncGenerator<IncomingMessage> {
    const account = new TelegramAccount(readSettings(context.config), context);
    this.#accounts.set(context.accountId, account);
    yield* account.receive();
  }

  respond(message: IncomingMessage, response: OutgoingResponse): Promise<SentMessage> {
    const { accountId, conversationId = message.userId, threadId, room, externalId } = message;
    // In a group it would not be clear which message a reply answers.
    const replyToId = response.replyToId ?? (room === undefined ? undefined : externalId);
    const place = { chatId: conversationId, threadId: response.threadId ?? threadId };
    const reply = replyToId === undefined ? {} : { replyToId };
    return this.#account(accountId).send(place, { ...response, ...reply });
  }

  broadcast(userId: string, response: OutgoingResponse): Promise<SentMessage> {
    const place = { chatId: userId, threadId: response.threadId };
    return this.#account(response.accountId).send(place, response);
  }

  async sendStatus(
    { kind }: StatusUpdate,
    _metadata: JsonValue,
    message: IncomingMessage,
  ): Promise<void> {
    if (kind !== "thinking" && kind !== "tool_started") return;
    const { accountId, conversationId = message.userId, threadId } = message;
    await this.#account(accountId).showTyping({ chatId: conversationId, threadId });
  }

  edit(message: MessageReference, response: OutgoingResponse): Promise<void> {
    return this.#account(message.accountId).edit(message, response);
  }

  remove(message: MessageReference): Promise<void> {
    return this.#account(message.accountId).remove(message);
  }

  react(message: MessageReference, emoji: string): Promise<void> {
    return this.#account(message.accountId).react(message, emoji);
  }

  healthCheck(accountId: string): Promise<void> {
    return this.#account(accountId).check();
  }

  async shutdown(): Promise<void> {
    this.#accounts.clear();
  }

  #account(accountId = "default"): TelegramAccount {
    const account = this.#accounts.get(accountId);
    if (account !== undefined) return account;
    const problem = `account ${accountId} is not connected; see openclaw channels status telegram`;
    throw new ChannelSendFailedError(this.name, problem, { retryable: true });
  }
}
