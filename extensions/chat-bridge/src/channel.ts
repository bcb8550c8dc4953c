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
  SentParts,
  type StatusUpdate,
} from "@openclaw/plugin-sdk/channel-core";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Adapter, AdapterPostableMessage } from "chat";
import { BridgeAccount, type BridgeDependencies } from "./account.js";
import { namedEmoji } from "./adapter/emoji.js";
import { channelFailure } from "./adapter/failure.js";
import { renderedText } from "./adapter/rendering.js";
import { type Attachment, buttonGroups, fileGroups, fileNote } from "./messages/limits.js";
import { postable } from "./messages/outgoing.js";
import { Pace } from "./messages/pace.js";
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
  readonly #parts = new SentParts();
  /** Absent when the platform tells how long to wait. */
  readonly #pace: Pace | undefined;

  /**
   * @param preset - the platform
   * @param dependencies - store and folders
   */
  constructor(preset: Preset, dependencies: BridgeDependencies) {
    this.name = preset.channel;
    this.capabilities = preset.capabilities;
    this.#preset = preset;
    this.#dependencies = dependencies;
    const { messageMs } = preset;
    this.#pace = messageMs === undefined ? undefined : new Pace(messageMs, dependencies.now);
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
      return this.#post(account, thread, response, this.#inThread(account, thread));
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
          return this.#post(account, thread, response, this.#inThread(account, thread));
        }
        const post = async (message: AdapterPostableMessage) =>
          await adapter.postChannelMessage?.(thread, message);
        return this.#post(account, thread, response, this.#inThread(account, thread, post));
      }
      if (adapter.openDM === undefined) {
        const problem = `its adapter cannot start a conversation with ${to}; the person must write first`;
        throw new ChannelSendFailedError(this.name, problem);
      }
      const thread = await adapter.openDM(to);
      return this.#post(account, thread, response, this.#inThread(account, thread));
    });
  }

  async #edit(message: MessageReference, response: OutgoingResponse): Promise<void> {
    await this.#use(message.accountId, async ({ adapter }) => {
      const thread = adapterThread(adapter, message);
      const [buttons = []] = buttonGroups(response.buttons ?? [], this.#preset.limits ?? {});
      const content = await this.#message(adapter, { ...response, buttons });
      await adapter.editMessage(thread, message.messageId, content);
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

  /**
   * Posts what one message of the platform cannot have as several: a text that is too long above buttons, more buttons,
   * more files. Files that the platform does not take are named.
   */
  #post(
    { adapter }: BridgeAccount,
    thread: string,
    response: OutgoingResponse,
    post: (message: AdapterPostableMessage) => Promise<SentMessage>,
  ): Promise<SentMessage> {
    const send = async (response: OutgoingResponse) => {
      const message = await this.#message(adapter, response);
      try {
        const sent = await post(message);
        this.#pace?.sent(thread);
        return sent;
      } catch (error) {
        throw channelFailure(this.name, error, () => this.#pace?.rejected(thread));
      }
    };
    return this.#parts.send(response, (part) =>
      this.#postParts(response, (message) => part(() => send(message))),
    );
  }

  async #postParts(
    response: OutgoingResponse,
    send: (part: OutgoingResponse) => Promise<SentMessage>,
  ): Promise<SentMessage> {
    const { limits = {} } = this.#preset;
    const { buttonText = Number.POSITIVE_INFINITY } = limits;
    const { attachments = [], buttons = [], ...text } = response;
    const [files = [], ...otherFiles] = fileGroups(
      attachments.filter((file) => this.#refusalOf(file) === undefined),
      limits,
    );
    const groups = buttonGroups(buttons, limits);
    const isSeparate = groups.length > 0 && text.content.length > buttonText;
    const [first] = isSeparate ? [] : groups;
    const content = { ...text, attachments: files, ...(first && { buttons: first }) };
    const isEmpty = text.content.trim() === "" && files.length === 0 && first === undefined;
    let sent = isEmpty ? undefined : await send(content);
    for (const more of otherFiles) await send({ content: "", attachments: more });
    for (const [index, group] of groups.entries()) {
      if (group === first) continue;
      const below = await send({ content: CHOICE, buttons: group });
      // The message that a decision changes is the one with its buttons.
      if (index === 0) sent = below;
    }
    for (const file of attachments) {
      const reason = this.#refusalOf(file);
      if (reason === undefined) continue;
      const note = await send({ content: fileNote(file, reason) });
      sent ??= note;
    }
    return sent ?? {};
  }

  #refusalOf(file: Attachment): string | undefined {
    if (file.path === undefined) return undefined;
    return file.bytes === 0 ? "it is empty" : this.#preset.refusalOf?.(file);
  }

  /** Returns a message as the adapter takes it; a text whose conversion is too long is not converted. */
  async #message(adapter: Adapter, response: OutgoingResponse): Promise<AdapterPostableMessage> {
    const message = await postable(response);
    const { text: most } = this.#preset.limits ?? {};
    if (most === undefined || typeof message !== "object" || !("markdown" in message)) {
      return message;
    }
    const { markdown, ...others } = message;
    const shown = renderedText(adapter, message);
    return shown === undefined || shown.length <= most ? message : { raw: markdown, ...others };
  }

  #inThread(
    { adapter, settings }: BridgeAccount,
    thread: string,
    post: (message: AdapterPostableMessage) => Promise<{ readonly id?: string } | undefined> = (
      message,
    ) => adapter.postMessage(thread, message),
  ) {
    return async (message: AdapterPostableMessage): Promise<SentMessage> => {
      if (typeof message === "object" && "markdown" in message && message.files !== undefined) {
        const posted = await this.#preset.postFiles?.(adapter, thread, message, settings);
        if (posted !== undefined) return receiptOf(posted);
      }
      return receiptOf(await post(message));
    };
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

function receiptOf(posted: { readonly id?: string } | undefined): SentMessage {
  const id = posted?.id;
  return id === undefined || id === "" ? {} : { messageId: id };
}

function shownStatus(status: StatusUpdate): string | undefined {
  switch (status.kind) {
    case "thinking":
    case "status":
      return status.text;
    case "tool_started":
      return `Using ${status.name}`;
    case "job_started":
      return `Started the job "${status.title}"`;
    default:
      return undefined;
  }
}
