import {
  type Channel,
  type ChannelCapabilities,
  type ChannelContext,
  ChannelHealthCheckFailedError,
  ChannelSendFailedError,
  type IncomingMessage,
  type MessageReference,
  type OutgoingResponse,
  type SentMessage,
  type StatusUpdate,
} from "@openclaw/plugin-sdk/channel-core";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { BridgeAccount, type BridgeDependencies } from "./account.js";
import { namedEmoji } from "./adapter/emoji.js";
import { channelFailure } from "./adapter/failure.js";
import { postable } from "./messages/outgoing.js";
import { adapterThread } from "./messages/place.js";
import type { Preset } from "./presets/preset.js";

const DEFAULT_ACCOUNT = "default";
/** Text above buttons whose message is too long to have them. */
const CHOICE = "Choose:";

/** A platform of the Chat SDK as a channel. */
export class BridgeChannel implements Channel {
  readonly name: string;
  readonly capabilities: ChannelCapabilities;
  /** Absent when the platform cannot change a sent message. */
  readonly edit?: NonNullable<Channel["edit"]>;
  /** Absent when the platform cannot delete a sent message. */
  readonly remove?: NonNullable<Channel["remove"]>;
  readonly #preset: Preset;
  readonly #dependencies: BridgeDependencies;
  readonly #accounts = new Map<string, BridgeAccount>();

  /**
   * @param preset - the platform
   * @param dependencies - store and folders
   */
  constructor(preset: Preset, dependencies: BridgeDependencies) {
    this.name = preset.channel;
    this.capabilities = preset.capabilities;
    this.#preset = preset;
    this.#dependencies = dependencies;
    if (preset.canEdit === false) return;
    this.edit = (message, response) => this.#edit(message, response);
    this.remove = (message) => this.#remove(message);
  }

  /**
   * Returns a running account.
   * @param accountId - the account; `default` when absent
   */
  account(accountId: string = DEFAULT_ACCOUNT): BridgeAccount | undefined {
    return this.#accounts.get(accountId);
  }

  async *start(context: ChannelContext): AsyncGenerator<IncomingMessage> {
    const { accountId, signal } = context;
    const account = await BridgeAccount.open(this.#preset, context, this.#dependencies);
    const stop = () => account.end();
    signal.addEventListener("abort", stop, { once: true });
    this.#accounts.set(accountId, account);
    if (signal.aborted) stop();
    context.connected();
    try {
      yield* account.messages();
    } finally {
      signal.removeEventListener("abort", stop);
      await account.close();
    }
  }

  respond(message: IncomingMessage, response: OutgoingResponse): Promise<SentMessage> {
    const { accountId, conversationId, room, userId } = message;
    const threadId = response.threadId ?? message.threadId;
    return this.#use(response.accountId ?? accountId, async (account) => {
      const place = { conversationId: conversationId ?? room?.id ?? userId };
      const thread = adapterThread(account.adapter, withThread(place, threadId));
      return this.#post(account, thread, response);
    });
  }

  broadcast(to: string, response: OutgoingResponse): Promise<SentMessage> {
    const { accountId, threadId } = response;
    return this.#use(accountId, async (account) => {
      const { adapter } = account;
      if (threadId !== undefined || !this.#isUser(to)) {
        const thread = adapterThread(adapter, withThread({ conversationId: to }, threadId));
        const isDirect = adapter.isDM?.(thread) ?? false;
        if (threadId !== undefined || isDirect || adapter.postChannelMessage === undefined) {
          return this.#post(account, thread, response);
        }
        return receiptOf(await adapter.postChannelMessage(thread, await postable(response)));
      }
      if (adapter.openDM === undefined) {
        const problem = `its adapter cannot start a conversation with ${to}; the person must write first`;
        throw new ChannelSendFailedError(this.name, problem);
      }
      return this.#post(account, await adapter.openDM(to), response);
    });
  }

  async #edit(message: MessageReference, response: OutgoingResponse): Promise<void> {
    await this.#use(message.accountId, async ({ adapter }) => {
      const thread = adapterThread(adapter, message);
      await adapter.editMessage(thread, message.messageId, await postable(response));
    });
  }

  async #remove(message: MessageReference): Promise<void> {
    await this.#use(message.accountId, ({ adapter }) =>
      adapter.deleteMessage(adapterThread(adapter, message), message.messageId),
    );
  }

  async react(message: MessageReference, emoji: string): Promise<void> {
    await this.#use(message.accountId, async ({ adapter, folder }) => {
      const thread = adapterThread(adapter, message);
      await adapter.addReaction(thread, message.messageId, await namedEmoji(emoji, folder));
    });
  }

  async sendStatus(
    status: StatusUpdate,
    _metadata: JsonValue,
    message: IncomingMessage,
  ): Promise<void> {
    const text = shownStatus(status);
    if (text === undefined) return;
    const { conversationId = message.userId, threadId } = message;
    await this.#use(message.accountId, ({ adapter }) =>
      adapter.startTyping(
        adapterThread(adapter, withThread({ conversationId }, threadId)),
        this.#preset.hasStatusText === false ? undefined : text,
      ),
    );
  }

  async healthCheck(accountId: string): Promise<void> {
    const account = this.#accounts.get(accountId);
    if (account === undefined) {
      const problem = `account ${accountId} is not running; see openclaw channels status`;
      throw new ChannelHealthCheckFailedError(this.name, problem);
    }
    await this.#use(accountId, async ({ adapter, settings }) =>
      this.#preset.checkHealth?.({ adapter, settings }),
    );
  }

  async shutdown(): Promise<void> {
    this.#accounts.clear();
  }

  /** Posts a message; a text that is too long for a message with buttons is a message before them. */
  async #post(
    account: BridgeAccount,
    thread: string,
    response: OutgoingResponse,
  ): Promise<SentMessage> {
    const { adapter, settings } = account;
    const { buttonTextLimit = Number.POSITIVE_INFINITY, postFiles } = this.#preset;
    const { buttons = [], content } = response;
    if (buttons.flat().length > 0 && content.length > buttonTextLimit) {
      const { buttons: _below, ...above } = response;
      await this.#post(account, thread, above);
      return this.#post(account, thread, { content: CHOICE, buttons });
    }
    const message = await postable(response);
    if (typeof message === "object" && "markdown" in message && message.files !== undefined) {
      const posted = await postFiles?.(adapter, thread, message, settings);
      if (posted !== undefined) return receiptOf(posted);
    }
    return receiptOf(await adapter.postMessage(thread, message));
  }

  #isUser(id: string): boolean {
    return this.#preset.isUserId?.(id) ?? !id.includes(":");
  }

  async #use<Result>(
    accountId: string | undefined,
    call: (account: BridgeAccount) => Promise<Result>,
  ): Promise<Result> {
    const account = this.account(accountId);
    if (account === undefined) {
      const problem = `account ${accountId ?? DEFAULT_ACCOUNT} is not connected; see openclaw channels status`;
      throw new ChannelSendFailedError(this.name, problem, { retryable: true });
    }
    try {
      return await call(account);
    } catch (error) {
      throw channelFailure(this.name, error);
    }
  }
}

function withThread(place: { readonly conversationId: string }, threadId: string | undefined) {
  return threadId === undefined ? place : { ...place, threadId };
}

function receiptOf({ id }: { readonly id?: string }): SentMessage {
  return id === undefined || id === "" ? {} : { messageId: id };
}

function shownStatus(status: StatusUpdate): string | undefined {
  switch (status.kind) {
    case "thinking":
    case "status":
      return status.text;
    case "tool_started":
      return `Using ${status.name}`;
    default:
      return undefined;
  }
}
