import { isDeepStrictEqual } from "node:util";
import { errorMessage, Mutex, nearestName, withDeadline } from "@openclaw/foundation";
import {
  type Channel,
  ChannelError,
  ChannelSendFailedError,
  type IncomingMessage,
  type OutgoingResponse,
  type SentMessage,
  type StatusUpdate,
} from "@openclaw/plugin-sdk/channel-core";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import type { DeliveryTarget, Store } from "@openclaw/store";
import { ChannelNotFoundError } from "../errors.js";
import type { ReplySurface } from "../messages/inbound.js";
import {
  ChannelAccount,
  type ChannelAccountDependencies,
  type ChannelAccountOptions,
  type ChannelHealth,
  type ChannelReceiver,
} from "./account.js";
import { incomingMessage } from "./incoming.js";
import {
  channelSettings,
  connectionSettings,
  DEFAULT_ACCOUNT,
  type ReplyExtent,
} from "./settings.js";
import { ChannelSurface } from "./surface.js";

/** Time that a channel has to release its resources, in milliseconds. */
const SHUTDOWN_MS = 5000;

/** State of one account of a channel, for operators. */
export interface ChannelStatus extends ChannelHealth {
  readonly channel: string;
  readonly accountId: string;
  readonly pluginId: string;
}

/** Outcome of a message to every channel. */
export type BroadcastOutcome =
  | { readonly channel: string; readonly accountId: string; readonly sent: true }
  | {
      readonly channel: string;
      readonly accountId: string;
      readonly sent: false;
      readonly error: string;
    };

/** Dependencies of {@link ChannelManager}. */
export interface ChannelManagerDependencies extends ChannelAccountDependencies {
  readonly store: Pick<Store, "messages">;
}

/** Runs the channels of plugins: starts, replaces and stops them, and finds the one for a message. */
export class ChannelManager {
  readonly #dependencies: ChannelManagerDependencies;
  readonly #accounts = new Map<string, ChannelAccount>();
  /** Changes run one after another. */
  readonly #changes = new Mutex();
  #receiver: ChannelReceiver | undefined;
  #isClosed = false;

  /** @param dependencies - receiver of messages, store, plugins, log and clock */
  constructor(dependencies: ChannelManagerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Names of the channels. */
  get names(): readonly string[] {
    return [...new Set([...this.#accounts.values()].map(({ channel }) => channel.name))];
  }

  /** State of every account. */
  get status(): readonly ChannelStatus[] {
    return [...this.#accounts.values()].map(({ channel, accountId, pluginId, health }) => ({
      channel: channel.name,
      accountId,
      pluginId,
      ...health,
    }));
  }

  /**
   * Makes the running accounts those of a list. One that is unchanged continues; one with another channel or
   * configuration replaces the earlier one after that has ended (CHAN-010). A failure of one does not affect the
   * others (CHAN-009).
   * @param wanted - channels with their accounts and configuration
   */
  apply(wanted: readonly ChannelAccountOptions[]): Promise<void> {
    return this.#changes.run(() => this.#apply(wanted));
  }

  /**
   * Starts the accounts, and from now on each one that is added.
   * @param receiver - receiver of the messages
   */
  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    for (const account of this.#accounts.values()) account.start(receiver);
  }

  /** Ends the streams of all accounts; messages can still be sent. */
  async stopReceiving(): Promise<void> {
    this.#isClosed = true;
    const accounts = [...this.#accounts.values()];
    await Promise.all(accounts.map((account) => account.stopReceiving()));
  }

  /** Stops every account. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#changes.run(() => this.#remove([...this.#accounts.keys()]));
  }

  /** Returns an account that is not stopped. */
  account(channel: string, accountId: string = DEFAULT_ACCOUNT): ChannelAccount | undefined {
    return this.#accounts.get(keyOf(channel, accountId));
  }

  /** Returns the accounts of the channels of a plugin. */
  accountsOf(pluginId: string): readonly ChannelAccount[] {
    return [...this.#accounts.values()].filter((account) => account.pluginId === pluginId);
  }

  /**
   * Returns the surface of a conversation, for a reply to a message of an earlier process or a message that is not a
   * reply; undefined when no channel has the name.
   * @param target - the conversation
   * @param messageId - ID in the inbox of the message to reply to
   */
  surface(target: DeliveryTarget, messageId?: string): ReplySurface | undefined {
    const { channel, accountId = DEFAULT_ACCOUNT } = target;
    if (this.account(channel, accountId) === undefined) return undefined;
    const { store, timers } = this.#dependencies;
    return new ChannelSurface(target, {
      account: () => this.account(channel, accountId),
      async message() {
        if (messageId === undefined) return undefined;
        const row = await store.messages.inbox.get(messageId);
        return row === undefined ? undefined : incomingMessage(row);
      },
      timers,
    });
  }

  /**
   * Sends a reply through the channel of a message (CHAN-011).
   * @param message - message to reply to
   * @param response - the reply
   * @throws ChannelSendFailedError when no channel has the name, and what the channel throws
   */
  async respond(
    message: IncomingMessage,
    response: OutgoingResponse,
  ): Promise<SentMessage | undefined> {
    const account = this.#requireForSending(message.channel, message.accountId);
    return (await account.use((channel) => channel.respond(message, response))) ?? undefined;
  }

  /** Returns the extent of a reply on a channel; undefined without such a channel. */
  replyExtentOf(channel: string, accountId: string | undefined): ReplyExtent | undefined {
    const account = this.account(channel, accountId);
    return account && channelSettings(account.config).reply;
  }

  /**
   * Shows progress on the channel of a message; nothing happens without such a channel (CHAN-011).
   * @param status - the progress
   * @param metadata - metadata of the message
   */
  async sendStatus(
    status: StatusUpdate,
    metadata: JsonValue,
    message: IncomingMessage,
  ): Promise<void> {
    const account = this.account(message.channel, message.accountId);
    await account?.use(async (channel) => channel.sendStatus?.(status, metadata, message));
  }

  /**
   * Sends a message to a recipient on every channel that can (CHAN-012).
   * @param userId - ID of the recipient
   * @param response - text and attachments
   * @returns the outcome of each channel
   */
  async broadcastAll(
    userId: string,
    response: OutgoingResponse,
  ): Promise<readonly BroadcastOutcome[]> {
    return await Promise.all(
      [...this.#accounts.values()]
        .filter(({ channel }) => channel.broadcast !== undefined)
        .map(async (account): Promise<BroadcastOutcome> => {
          const { channel, accountId } = account;
          const place = { channel: channel.name, accountId };
          try {
            await account.use(async (used) => used.broadcast?.(userId, { ...response, accountId }));
            return { ...place, sent: true };
          } catch (error) {
            return { ...place, sent: false, error: errorMessage(error) };
          }
        }),
    );
  }

  /**
   * Checks that an account works.
   * @returns the problem; undefined when it works
   * @throws ChannelNotFoundError
   */
  async check(
    channel: string,
    accountId?: string,
  ): Promise<{ readonly code: string; readonly message: string } | undefined> {
    const account = this.require(channel, accountId);
    // The reason why it is not connected says more than a check without a connection.
    const { state, problem } = account.health;
    if (state === "degraded" && problem !== undefined) return problem;
    try {
      await account.use(async (used) => used.healthCheck?.(account.accountId));
      return undefined;
    } catch (error) {
      const code = ChannelError.isInstance(error) ? error.code : "CHANNEL_HEALTH_CHECK_FAILED";
      return { code, message: this.#dependencies.redact(errorMessage(error)) };
    }
  }

  /**
   * Returns an account of a channel.
   * @throws ChannelNotFoundError
   */
  require(channel: string, accountId?: string): ChannelAccount {
    const found = this.account(channel, accountId);
    if (found === undefined) {
      throw new ChannelNotFoundError(channel, nearestName(channel, this.names));
    }
    return found;
  }

  #requireForSending(channel: string, accountId: string | undefined): ChannelAccount {
    const found = this.account(channel, accountId);
    if (found !== undefined) return found;
    const problem = "no channel has this name; see openclaw channels list";
    throw new ChannelSendFailedError(channel, problem);
  }

  async #apply(wanted: readonly ChannelAccountOptions[]): Promise<void> {
    if (this.#isClosed) return;
    const next = new Map(wanted.map((each) => [keyOf(each.channel.name, each.accountId), each]));
    const stale = [...this.#accounts].flatMap(([key, account]) =>
      isSame(account, next.get(key)) ? [] : [key],
    );
    await this.#remove(stale);
    for (const [key, options] of next) {
      const kept = this.#accounts.get(key);
      if (kept !== undefined) {
        kept.configure(options.config);
        continue;
      }
      const account = new ChannelAccount(options, this.#dependencies);
      this.#accounts.set(key, account);
      if (this.#receiver !== undefined) account.start(this.#receiver);
    }
  }

  async #remove(keys: readonly string[]): Promise<void> {
    const removed = keys.flatMap((key) => this.#accounts.get(key) ?? []);
    for (const key of keys) this.#accounts.delete(key);
    await Promise.all(removed.map((account) => account.stop()));
    const left = new Set([...this.#accounts.values()].map(({ channel }) => channel));
    const ended = new Map(removed.map(({ channel, pluginId }) => [channel, pluginId]));
    await Promise.all(
      [...ended]
        .filter(([channel]) => !left.has(channel))
        .map(([channel, pluginId]) => this.#shutDown(channel, pluginId)),
    );
  }

  async #shutDown(channel: Channel, pluginId: string): Promise<void> {
    const { callPlugin, logger, timers } = this.#dependencies;
    try {
      await withDeadline(
        SHUTDOWN_MS,
        () => callPlugin(pluginId, () => channel.shutdown?.()),
        timers,
      );
    } catch (error) {
      logger.warn(`channel "${channel.name}" did not shut down: ${errorMessage(error)}`);
    }
  }
}

function keyOf(channel: string, accountId: string): string {
  return JSON.stringify([channel, accountId]);
}

function isSame(account: ChannelAccount, wanted: ChannelAccountOptions | undefined): boolean {
  if (account.channel !== wanted?.channel) return false;
  return isDeepStrictEqual(connectionSettings(account.config), connectionSettings(wanted.config));
}
