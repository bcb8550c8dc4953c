import { randomUUID } from "node:crypto";
import type {
  Channel,
  ChannelCapabilities,
  ChannelContext,
  IncomingMessage,
  MessageReference,
  OutgoingResponse,
  SentMessage,
  StatusUpdate,
} from "@openclaw/plugin-sdk/channel-core";
import { defineChannelPluginEntry } from "@openclaw/plugin-sdk/channel-core";
import { MessageStream } from "./message-stream.js";

/** Options of {@link createFakeChannel}. */
export interface FakeChannelOptions {
  /** Name of the channel; `fake` when absent. */
  readonly name?: string;
  /** Capabilities of its platform; none when absent. */
  readonly capabilities?: ChannelCapabilities;
}

/** Message from a person to a fake channel; absent fields are those of a direct message of `alice`. */
export type SpokenMessage = Partial<Omit<IncomingMessage, "channel" | "content" | "acknowledge">>;

/** Message that the host sent through a fake channel. */
export interface FakeDelivery extends OutgoingResponse {
  /** Recipient: the conversation that is replied to, or the target of a broadcast. */
  readonly to: string;
  /** ID that the channel gave the message. */
  readonly messageId: string;
  /** The message that is replied to; absent for a broadcast. */
  readonly inReplyTo?: IncomingMessage;
  /** Content that later replaced it, oldest first. */
  readonly edits: readonly OutgoingResponse[];
}

/** Behaviour of a fake channel when the host sends a message; a thrown error is that of the platform. */
export type SendBehaviour = (response: OutgoingResponse) => void | Promise<void>;

/** A channel in memory: a test writes messages to it and reads what the host sends. */
export class FakeChannel implements Channel {
  readonly name: string;
  readonly capabilities: ChannelCapabilities;
  /** Messages that the host sent, oldest first. */
  readonly deliveries: (FakeDelivery & { edits: OutgoingResponse[] })[] = [];
  readonly statuses: StatusUpdate[] = [];
  /** IDs of the messages that the host deleted. */
  readonly removed: string[] = [];
  /** Reactions of the host to messages. */
  readonly reactions: { readonly messageId: string; readonly emoji: string }[] = [];
  /** Contexts that the host started accounts with, oldest first. */
  readonly starts: ChannelContext[] = [];
  /** True once the host shut the channel down. */
  isShutDown = false;
  readonly #streams = new Map<string, MessageStream<IncomingMessage>>();
  readonly #watchers: { readonly number: number; resolve(found: FakeDelivery): void }[] = [];
  #behaviours: SendBehaviour[] = [];
  #health: Error | undefined;
  #ids = 0;

  /** @param options - name and capabilities */
  constructor({ name = "fake", capabilities = {} }: FakeChannelOptions = {}) {
    this.name = name;
    this.capabilities = capabilities;
  }

  /** Returns a plugin that registers the channel. */
  asPlugin() {
    return defineChannelPluginEntry({ id: `${this.name}-channel`, plugin: this as Channel });
  }

  /**
   * Writes a message to the channel.
   * @param content - text of the message
   * @param message - fields that differ from those of a direct message of `alice`
   * @returns promise that settles when the host acknowledges the message, because it is stored or not accepted
   */
  say(content: string, message: SpokenMessage = {}): Promise<void> {
    const { accountId = "default" } = message;
    return new Promise((resolve) => {
      this.#streamOf(accountId).push({
        id: randomUUID(),
        userId: "alice",
        receivedAt: new Date(),
        ...message,
        accountId,
        channel: this.name,
        content,
        acknowledge: resolve,
      });
    });
  }

  /**
   * Yields any value as a message, for tests of malformed ones.
   * @param value - value that the stream yields
   */
  yieldRaw(value: unknown): void {
    this.#streamOf("default").push(value as IncomingMessage);
  }

  /**
   * Waits for a message of the host.
   * @param number - its number, from 1
   */
  delivery(number: number): Promise<FakeDelivery> {
    const found = this.deliveries[number - 1];
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => this.#watchers.push({ number, resolve }));
  }

  /**
   * Sets what the next sends do, one behaviour for each; later ones succeed.
   * @param behaviours - called with the message, in order
   */
  onSend(...behaviours: readonly SendBehaviour[]): void {
    this.#behaviours = [...behaviours];
  }

  /**
   * Ends the stream of an account, as a lost connection does.
   * @param error - error of the stream; it ends without one when absent
   * @param accountId - the account; `default` when absent
   */
  disconnect(error?: Error, accountId = "default"): void {
    const stream = this.#streams.get(accountId);
    this.#streams.delete(accountId);
    stream?.end(error);
  }

  /**
   * Sets the result of the health check.
   * @param problem - error of the check; it succeeds when absent
   */
  setHealth(problem?: Error): void {
    this.#health = problem;
  }

  async *start(context: ChannelContext): AsyncGenerator<IncomingMessage> {
    this.starts.push(context);
    const stream = this.#streamOf(context.accountId);
    const stop = () => stream.end();
    context.signal.addEventListener("abort", stop, { once: true });
    context.connected();
    try {
      yield* stream;
    } finally {
      context.signal.removeEventListener("abort", stop);
      if (this.#streams.get(context.accountId) === stream) this.#streams.delete(context.accountId);
    }
  }

  respond(message: IncomingMessage, response: OutgoingResponse): Promise<SentMessage> {
    const to = message.conversationId ?? message.room?.id ?? message.userId;
    return this.#deliver(to, response, message);
  }

  broadcast(to: string, response: OutgoingResponse): Promise<SentMessage> {
    return this.#deliver(to, response);
  }

  async sendStatus(status: StatusUpdate): Promise<void> {
    this.statuses.push(status);
  }

  async edit({ messageId }: MessageReference, response: OutgoingResponse): Promise<void> {
    this.deliveries.find((each) => each.messageId === messageId)?.edits.push(response);
  }

  async remove({ messageId }: MessageReference): Promise<void> {
    this.removed.push(messageId);
  }

  async react({ messageId }: MessageReference, emoji: string): Promise<void> {
    this.reactions.push({ messageId, emoji });
  }

  async healthCheck(): Promise<void> {
    if (this.#health !== undefined) throw this.#health;
  }

  async shutdown(): Promise<void> {
    this.isShutDown = true;
  }

  async #deliver(
    to: string,
    response: OutgoingResponse,
    inReplyTo?: IncomingMessage,
  ): Promise<SentMessage> {
    await this.#behaviours.shift()?.(response);
    this.#ids += 1;
    const messageId = `${this.name}-${this.#ids}`;
    const reply = inReplyTo === undefined ? {} : { inReplyTo };
    const delivery = { ...response, ...reply, to, messageId, edits: [] };
    this.deliveries.push(delivery);
    for (const watcher of this.#watchers.splice(0)) {
      if (watcher.number === this.deliveries.length) watcher.resolve(delivery);
      else this.#watchers.push(watcher);
    }
    return { messageId };
  }

  #streamOf(accountId: string): MessageStream<IncomingMessage> {
    const known = this.#streams.get(accountId);
    if (known !== undefined) return known;
    const stream = new MessageStream<IncomingMessage>();
    this.#streams.set(accountId, stream);
    return stream;
  }
}

/**
 * Creates a channel in memory for the tests of plugins and hosts. It runs like any channel: give `asPlugin()` to
 * a test host whose configuration has a section for it.
 * @param options - name and capabilities
 * @example
 * ```ts
 * const channel = createFakeChannel();
 * const config = { channels: { fake: { dmPolicy: "open" } } };
 * await using host = await createTestHost({ plugin: channel.asPlugin(), config, model: [{ text: "Hello." }] });
 * await channel.say("hi");
 * expect((await channel.delivery(1)).content).toBe("Hello.");
 * ```
 */
export function createFakeChannel(options?: FakeChannelOptions): FakeChannel {
  return new FakeChannel(options);
}
