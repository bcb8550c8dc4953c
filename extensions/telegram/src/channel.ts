import type { PluginStore } from "@openclaw/plugin-sdk";
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
import type { TelegramAccount } from "./account.js";
import { readSettings, type TelegramSettings } from "./settings.js";

/** Telegram, with one bot for each account. */
export class TelegramChannel implements Channel {
  readonly name = "telegram";
  readonly capabilities = {
    textLimit: 4096,
    buttons: true,
    streaming: true,
    audio: "voice",
  } as const;
  /** Returns the store of the plugin; undefined before it is registered. */
  store: (() => PluginStore["kv"]) | undefined;
  readonly #accounts = new Map<string, Promise<TelegramAccount>>();

  /**
   * Returns the account whose webhook has a secret.
   * @param matches - returns true for the secret of the request
   */
  async accountOfWebhook(
    matches: (secret: string) => boolean,
  ): Promise<TelegramAccount | undefined> {
    const accounts = await Promise.all(this.#accounts.values());
    return accounts.find(
      ({ settings: { updates } }) => updates.by === "webhook" && matches(updates.secret),
    );
  }

  async *start(context: ChannelContext): AsyncGenerator<IncomingMessage> {
    const account = openAccount(readSettings(context.config), context, this.store);
    this.#accounts.set(context.accountId, account);
    yield* (await account).receive();
  }

  async respond(message: IncomingMessage, response: OutgoingResponse): Promise<SentMessage> {
    const { accountId, conversationId = message.userId, threadId, room, externalId } = message;
    // In a group it would not be clear which message a reply answers.
    const replyToId = response.replyToId ?? (room === undefined ? undefined : externalId);
    const place = { chatId: conversationId, threadId: response.threadId ?? threadId };
    const reply = replyToId === undefined ? {} : { replyToId };
    return (await this.#account(accountId)).sender.send(place, { ...response, ...reply });
  }

  async broadcast(userId: string, response: OutgoingResponse): Promise<SentMessage> {
    const place = { chatId: userId, threadId: response.threadId };
    return (await this.#account(response.accountId)).sender.send(place, response);
  }

  async sendStatus(
    { kind }: StatusUpdate,
    _metadata: JsonValue,
    message: IncomingMessage,
  ): Promise<void> {
    if (kind !== "thinking" && kind !== "tool_started") return;
    const { accountId, conversationId = message.userId, threadId } = message;
    await (await this.#account(accountId)).sender.showTyping({ chatId: conversationId, threadId });
  }

  async edit(message: MessageReference, response: OutgoingResponse): Promise<void> {
    return (await this.#account(message.accountId)).sender.edit(message, response);
  }

  async remove(message: MessageReference): Promise<void> {
    return (await this.#account(message.accountId)).sender.remove(message);
  }

  async react(message: MessageReference, emoji: string): Promise<void> {
    return (await this.#account(message.accountId)).sender.react(message, emoji);
  }

  async healthCheck(accountId: string): Promise<void> {
    return (await this.#account(accountId)).check();
  }

  async shutdown(): Promise<void> {
    this.#accounts.clear();
  }

  async #account(accountId = "default"): Promise<TelegramAccount> {
    const account = this.#accounts.get(accountId);
    if (account !== undefined) return await account;
    const problem = `account ${accountId} is not connected; see openclaw channels status telegram`;
    throw new ChannelSendFailedError(this.name, problem, { retryable: true });
  }
}

/** Loads the library of the Bot API with the first account, and not at the start of every host. */
async function openAccount(
  settings: TelegramSettings,
  context: ChannelContext,
  store: (() => PluginStore["kv"]) | undefined,
): Promise<TelegramAccount> {
  const [{ TelegramAccount }, { MovedGroups }, { KeptParts }] = await Promise.all([
    import("./account.js"),
    import("./moved-groups.js"),
    import("./kept-parts.js"),
  ]);
  const groups = new MovedGroups(context.accountId, store);
  await groups.load();
  const parts = new KeptParts(context.accountId, store);
  return new TelegramAccount(settings, context, groups, parts);
}
