import { errorMessage, type Timers } from "@openclaw/foundation";
import { isSection } from "@openclaw/messaging";
import {
  type AdapterChannel,
  type ChannelContext,
  ChannelDisconnectedError,
  ChannelError,
  ChannelStartupFailedError,
  type IncomingMessage,
  type OlderInboundContext,
  type OlderReplyOptions,
  type OutgoingResponse,
  type SentMessage,
} from "@openclaw/plugin-sdk/channel-core";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { VisibleConfig } from "@openclaw/plugin-sdk/services";
import { resolveAccount } from "./accounts.js";
import { contextAttachments } from "./attachments.js";
import { MessageFlight } from "./flight.js";
import { incomingOf } from "./inbound-context.js";
import { adapterMethod, boundMethod } from "./method.js";
import { waiting } from "./waiting.js";

/** Time without a failure after which a plugin that reports no connection counts as connected, in milliseconds. */
const SETTLE_MS = 2000;

/** Dependencies of {@link AdapterAccount}. */
export interface AdapterAccountDependencies {
  readonly channel: AdapterChannel;
  /** Returns the configuration as the plugin may see it. */
  config(): VisibleConfig;
  /** Returns the `api.runtime.channel` of the plugin. */
  channelRuntime(): object;
  readonly timers: Timers;
}

/** Runs one account of a channel of an older plugin: starts it, and turns what it dispatches into a stream. */
export class AdapterAccount {
  readonly #dependencies: AdapterAccountDependencies;
  readonly #context: ChannelContext;
  readonly #stopping = new AbortController();
  readonly #queue: IncomingMessage[] = [];
  readonly #flights = new Map<IncomingMessage, MessageFlight>();
  #status: Readonly<Record<string, unknown>> = {};
  #wake = waiting<void>();
  #failure: ChannelError | undefined;
  #handle: unknown;
  #stopped: Promise<void> | undefined;

  /**
   * @param dependencies - channel, configuration and timers
   * @param context - account of the host
   */
  constructor(dependencies: AdapterAccountDependencies, context: ChannelContext) {
    this.#dependencies = dependencies;
    this.#context = context;
  }

  /** Status that the plugin reported last. */
  get status(): Readonly<Record<string, unknown>> {
    return this.#status;
  }

  /**
   * Starts the account and yields its messages until the signal of the context aborts. The account is stopped once the
   * replies to its messages were sent, because it may need its connection for them.
   * @throws ChannelError when the account does not start, or ends
   */
  async *messages(): AsyncGenerator<IncomingMessage> {
    const { signal } = this.#context;
    const wake = () => this.#wake.resolve();
    signal.addEventListener("abort", wake, { once: true });
    const settle = this.#settleLater();
    try {
      this.#start();
      while (!signal.aborted) {
        const next = this.#queue.shift();
        if (next !== undefined) {
          yield next;
          continue;
        }
        if (this.#failure !== undefined) throw this.#failure;
        await this.#wake.promise;
        this.#wake = waiting();
      }
    } finally {
      this.#dependencies.timers.clearTimeout(settle);
      signal.removeEventListener("abort", wake);
      this.#endWaiting();
      if (signal.aborted) void this.#stopWhenIdle();
      else await this.stop();
    }
  }

  /**
   * Hands a message of the plugin to the host.
   * @param context - message in the form of the plugin
   * @param options - receiver of its replies
   * @returns the message after the host's work on it has ended
   * @throws ChannelDisconnectedError when the account is not running
   */
  async dispatch(context: OlderInboundContext, options: OlderReplyOptions): Promise<MessageFlight> {
    const { channel } = this.#dependencies;
    const { accountId, config, signal } = this.#context;
    const attachments = await this.#attachments(context);
    if (signal.aborted) {
      const problem = `account ${accountId} is stopping; the message is not accepted`;
      throw new ChannelDisconnectedError(channel.id, problem);
    }
    const decidesMentions = config.groupPolicy === "mention";
    const read = { channel, accountId, decidesMentions, attachments };
    const flight = new MessageFlight(channel.id, options);
    const message: IncomingMessage = {
      ...incomingOf(context, read),
      settled: (outcome) => flight.end(outcome),
    };
    this.#flights.set(message, flight);
    this.#queue.push(message);
    this.#wake.resolve();
    try {
      await flight.settled;
      await flight.finish();
      return flight;
    } finally {
      this.#flights.delete(message);
    }
  }

  /**
   * Sends a reply through the function that the plugin passed with the message.
   * @param message - message to reply to
   * @param response - the reply
   * @returns undefined when the plugin no longer waits
   */
  async reply(
    message: IncomingMessage,
    response: OutgoingResponse,
  ): Promise<SentMessage | undefined> {
    const flight = this.#flights.get(message);
    if (flight === undefined || flight.hasEnded) return undefined;
    return await flight.deliver(response);
  }

  /** Tells the plugin that the host works on a message. */
  async showProgress(message: IncomingMessage): Promise<void> {
    await this.#flights.get(message)?.start();
  }

  /** Stops the account of the plugin. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  #start(): void {
    const { channel } = this.#dependencies;
    const start = adapterMethod(channel, "gateway", "startAccount");
    if (start === undefined) {
      const problem = "its plugin cannot receive messages: it has no gateway.startAccount";
      throw new ChannelStartupFailedError(channel.id, problem);
    }
    void this.#run(start);
  }

  async #run(start: NonNullable<ReturnType<typeof adapterMethod>>): Promise<void> {
    const { channel } = this.#dependencies;
    try {
      await this.#assertConfigured();
      this.#handle = await start(this.#startContext());
      if (this.#stopping.signal.aborted) return;
      const { running, connected, lastError } = this.#status;
      const isOver = this.#handle === undefined && (running === false || connected === false);
      if (isOver) {
        const reason = typeof lastError === "string" ? lastError : "its plugin ended it";
        throw new ChannelDisconnectedError(channel.id, `the connection ended: ${reason}`);
      }
      this.#context.connected();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#failure = ChannelError.isInstance(error)
        ? error
        : new ChannelDisconnectedError(channel.id, errorMessage(error), { cause: error });
      this.#wake.resolve();
    }
  }

  async #assertConfigured(): Promise<void> {
    const { channel, config } = this.#dependencies;
    const { accountId } = this.#context;
    const cfg = config();
    const account = resolveAccount(channel, cfg, accountId);
    const isConfigured = await adapterMethod(channel, "config", "isConfigured")?.(account, cfg);
    if (isConfigured !== false) return;
    const reason = adapterMethod(channel, "config", "unconfiguredReason")?.(account, cfg);
    const missing =
      typeof reason === "string" ? reason : "settings that its plugin needs are missing";
    const problem = `account ${accountId} is not configured: ${missing}; see the documentation of the plugin for channels.${channel.id}`;
    throw new ChannelStartupFailedError(channel.id, problem);
  }

  #startContext(): object {
    const { channel, config, channelRuntime } = this.#dependencies;
    const { accountId, logger } = this.#context;
    const cfg = config();
    const log = {
      debug: (message: unknown) => logger.debug(String(message)),
      info: (message: unknown) => logger.info(String(message)),
      warn: (message: unknown) => logger.warn(String(message)),
      error: (message: unknown) => logger.error(String(message)),
    };
    return {
      cfg,
      accountId,
      account: resolveAccount(channel, cfg, accountId),
      abortSignal: this.#stopping.signal,
      log,
      runtime: { log: log.info, error: log.error, exit: refuseExit },
      channelRuntime: channelRuntime(),
      getStatus: () => ({ accountId, ...this.#status }),
      setStatus: (status: unknown) => this.#setStatus(status),
    };
  }

  #setStatus(status: unknown): void {
    if (!isSection(status)) return;
    this.#status = { ...this.#status, ...status };
    if (status.connected === true) this.#context.connected();
  }

  /** A plugin that waits for webhooks never reports a connection. */
  #settleLater(): unknown {
    return this.#dependencies.timers.setTimeout(() => {
      const { connected } = this.#status;
      if (this.#failure === undefined && connected === undefined) this.#context.connected();
    }, SETTLE_MS);
  }

  async #attachments(context: OlderInboundContext): Promise<readonly AttachmentMeta[]> {
    return await contextAttachments(context, (file) => this.#context.saveAttachment(file));
  }

  /** Messages that the host did not take are not accepted; the platform may send them again. */
  #endWaiting(): void {
    for (const message of this.#queue.splice(0)) {
      this.#flights.get(message)?.end({ status: "interrupted" });
    }
  }

  async #stopWhenIdle(): Promise<void> {
    await Promise.all([...this.#flights.values()].map(({ settled }) => settled));
    await this.stop();
  }

  async #stop(): Promise<void> {
    const { logger, accountId } = this.#context;
    const { channel } = this.#dependencies;
    const context = this.#startContext();
    this.#stopping.abort();
    for (const flight of this.#flights.values()) flight.end({ status: "interrupted" });
    const end =
      boundMethod(this.#handle, undefined) ??
      (isSection(this.#handle) ? boundMethod(this.#handle.stop, this.#handle) : undefined);
    for (const stop of [end, adapterMethod(channel, "gateway", "stopAccount")]) {
      try {
        await stop?.(context);
      } catch (error) {
        logger.warn(
          `channel "${channel.id}" did not stop account ${accountId}: ${errorMessage(error)}`,
        );
      }
    }
  }
}

function refuseExit(): never {
  throw new Error("a plugin must not end the process of the host; throw the error instead");
}
