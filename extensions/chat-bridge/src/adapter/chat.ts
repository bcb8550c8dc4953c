import {
  ChannelInvalidMessageError,
  type IncomingMessage,
} from "@openclaw/plugin-sdk/channel-core";
import type { Adapter, ChatInstance, Message, WebhookOptions } from "chat";
import {
  buttonMessage,
  commandMessage,
  incomingMessage,
  type Receiver,
} from "../messages/incoming.js";
import { stableUuid } from "../messages/place.js";
import type { BridgeLogger } from "./logger.js";
import { currentRequest } from "./request.js";
import type { BridgeState } from "./state.js";

/** Messages of threads that an adapter can read. */
export interface ThreadHistory {
  /**
   * Adds a message.
   * @param threadId - thread ID of the adapter
   */
  append(threadId: string, message: Message): Promise<void>;
}

/** Dependencies of {@link BridgeChat}. */
export interface BridgeChatDependencies {
  readonly receiver: Receiver;
  readonly logger: BridgeLogger;
  readonly state: BridgeState;
  /** History for an adapter that needs one. */
  readonly history: ThreadHistory | undefined;
  /**
   * Hands a message to the host.
   * @returns promise that resolves once the host has it, and rejects when it must be sent again
   */
  deliver(message: IncomingMessage): Promise<void>;
  /** Returns the thread of a pressed button, when the adapter reports another one than its message is in. */
  threadOfAction?(event: { readonly threadId: string; readonly raw: unknown }): string;
}

type ActionArguments = Parameters<ChatInstance["processAction"]>;
type CommandArguments = Parameters<ChatInstance["processSlashCommand"]>;

/** The side of the Chat SDK that adapters report to, for one account: each message goes to the host. */
export class BridgeChat implements ChatInstance {
  readonly #dependencies: BridgeChatDependencies;
  /** Last message of each thread that is being prepared: messages of a thread keep their order. */
  readonly #threads = new Map<string, Promise<void>>();

  /** @param dependencies - account, log, state and host */
  constructor(dependencies: BridgeChatDependencies) {
    this.#dependencies = dependencies;
  }

  get history(): ChatInstance["history"] {
    throw this.#unsupported("the history of the Chat SDK");
  }

  get transcripts(): ChatInstance["transcripts"] {
    throw this.#unsupported("transcripts of the Chat SDK");
  }

  getLogger(prefix?: string): BridgeLogger {
    const { logger } = this.#dependencies;
    return prefix === undefined ? logger : logger.child(prefix);
  }

  getState(): BridgeState {
    return this.#dependencies.state;
  }

  getUserName(): string {
    return this.#dependencies.receiver.adapter.userName;
  }

  processMessage(
    _adapter: Adapter,
    threadId: string,
    message: Message | (() => Promise<Message>),
    options?: WebhookOptions,
  ): Promise<void> {
    return this.#track(
      this.#inOrder(threadId, async () => {
        const read = typeof message === "function" ? await message() : message;
        if (read.author.isMe) return undefined;
        if (read.id === "") {
          // A repeat of it could not be recognised, and platforms give every message an ID.
          this.#dependencies.logger.warn("a message without an ID was ignored");
          return undefined;
        }
        await this.#dependencies.history?.append(threadId, read);
        return incomingMessage(read, threadId, this.#dependencies.receiver);
      }),
      options,
    );
  }

  handleIncomingMessage(adapter: Adapter, threadId: string, message: Message): Promise<void> {
    return this.processMessage(adapter, threadId, message);
  }

  processAction(event: ActionArguments[0], options: ActionArguments[1]): Promise<void> {
    const { receiver, threadOfAction } = this.#dependencies;
    if (event.user.isMe || (event.value ?? "") === "") return Promise.resolve();
    const threadId = threadOfAction?.(event) ?? event.threadId;
    const work = this.#inOrder(threadId, async () => buttonMessage(event, threadId, receiver));
    return this.#track(work, options);
  }

  processSlashCommand(event: CommandArguments[0], options: CommandArguments[1]): Promise<void> {
    const { receiver } = this.#dependencies;
    const { triggerId, channelId, user, text } = event;
    const id = triggerId ?? stableUuid(channelId, user.userId, text, receiver.now().toISOString());
    const work = this.#inOrder(channelId, async () => commandMessage(event, id, receiver));
    return this.#track(work, options);
  }

  /** An edit does not run a message again, and does not change what was received. */
  processMessageUpdated(): Promise<void> {
    return this.#ignore("an edit of a message");
  }

  processMessageDeleted(): Promise<void> {
    return this.#ignore("a deletion of a message");
  }

  processReaction(): Promise<void> {
    return this.#ignore("a reaction");
  }

  abortTurn(): Promise<void> {
    return this.#ignore("the end of an agent session");
  }

  processAgentSessionStopped(): void {
    this.#ignore("the end of an agent session");
  }

  processAgentSessionTitleChanged(): void {
    this.#ignore("a title of an agent session");
  }

  processAppContextChanged(): void {
    this.#ignore("a change of the app's context");
  }

  processAppHomeOpened(): void {
    this.#ignore("an opened app home");
  }

  processAssistantContextChanged(): void {
    this.#ignore("a change of the assistant's context");
  }

  processAssistantThreadStarted(): void {
    this.#ignore("a started assistant thread");
  }

  processMemberJoinedChannel(): void {
    this.#ignore("a member who joined");
  }

  processModalClose(): void {
    this.#ignore("a closed dialog");
  }

  async processModalSubmit(): Promise<undefined> {
    await this.#ignore("a submitted dialog");
    return undefined;
  }

  async processOptionsLoad(): Promise<undefined> {
    await this.#ignore("a request for options");
    return undefined;
  }

  async #ignore(what: string): Promise<void> {
    this.#dependencies.logger.debug(`${what} was ignored`);
  }

  /** Prepares messages of one thread one after another, and resolves once the host has this one. */
  async #inOrder(
    threadId: string,
    prepare: () => Promise<IncomingMessage | undefined>,
  ): Promise<void> {
    const before = this.#threads.get(threadId);
    let delivered: Promise<void> | undefined;
    const prepared = (async () => {
      await before;
      const message = await prepare();
      // Handed over here, so that the next message of the thread comes after it.
      delivered = message === undefined ? undefined : this.#dependencies.deliver(message);
    })();
    const done = prepared.then(
      () => undefined,
      () => undefined,
    );
    this.#threads.set(threadId, done);
    try {
      await prepared;
      await delivered;
    } finally {
      if (this.#threads.get(threadId) === done) this.#threads.delete(threadId);
    }
  }

  /** Adapters do not handle a rejection; the request learns of it by `waitUntil`, or by its context. */
  #track(work: Promise<void>, options: WebhookOptions | undefined): Promise<void> {
    const scope = currentRequest.getStore();
    if (options?.waitUntil !== undefined) options.waitUntil(work);
    else if (scope?.isOpen) scope.tasks.push(work);
    return work.catch((error: unknown) => {
      this.#dependencies.logger.warn("a message was not received", { error });
    });
  }

  #unsupported(what: string): ChannelInvalidMessageError {
    const { channel } = this.#dependencies.receiver;
    const problem = `its adapter needs ${what}, which the bridge does not have; use an adapter without it`;
    return new ChannelInvalidMessageError(channel, problem);
  }
}
