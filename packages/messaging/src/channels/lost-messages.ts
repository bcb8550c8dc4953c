import { createHash, randomUUID } from "node:crypto";
import { defined, errorMessage, startOfText } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ChannelRoom, IncomingMessage } from "@openclaw/plugin-sdk/channel-core";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { LostMessage, Store } from "@openclaw/store";
import { LostMessageIncompleteError, LostMessageNotFoundError } from "../errors.js";
import type { ChannelAccount, ChannelReceiver, Reception } from "./account.js";
import type { ChannelManager } from "./manager.js";
import { isSection } from "./settings.js";

/** Characters of a lost message that the log shows. */
const SHOWN_TEXT = 200;

/** Facts about a message, as far as the failed call of its plugin contains them. */
export interface LostFacts {
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  readonly text?: string | undefined;
  readonly senderId?: string | undefined;
  readonly senderName?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly threadId?: string | undefined;
  readonly room?: ChannelRoom | undefined;
  readonly externalId?: string | undefined;
}

/** Call of a plugin that failed because the host lacks what it needs. */
export interface LossReport {
  readonly pluginId: string;
  /** Used part, with the entry point of the SDK that should have it. */
  readonly part: string;
  readonly facts: LostFacts;
}

/** Dependencies of {@link LostMessages}. */
export interface LostMessagesDependencies {
  readonly store: Pick<Store, "messages">;
  readonly manager: Pick<ChannelManager, "accountsOf" | "require">;
  readonly receiver: Pick<ChannelReceiver, "receive">;
  readonly logger: Logger;
  /** Removes secrets from a text for the log. */
  redact(text: string): string;
}

/**
 * Keeps the messages that a plugin of a channel received and could not hand to the host, because it needs a part of the
 * SDK that the host lacks (CHAN-520, CHAN-521). The plugin hides the failure, and the platform counts the message as
 * delivered.
 */
export class LostMessages {
  readonly #dependencies: LostMessagesDependencies;
  /** Losses whose message could not be read, by account and part. */
  readonly #told = new Set<string>();

  /** @param dependencies - store, accounts, receiver of replayed messages, and log */
  constructor(dependencies: LostMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Notes a failed call. A plugin without channels is only reported by its diagnostics.
   * @param report - plugin, part and what the call says of the message
   */
  async note({ pluginId, part, facts }: LossReport): Promise<void> {
    const { manager, logger } = this.#dependencies;
    const account = accountOf(manager.accountsOf(pluginId), facts);
    if (account === undefined) return;
    const { accountId } = account;
    const channel = account.channel.name;
    const message = `its plugin "${pluginId}" used ${part}, which this host does not have`;
    const next = "install a version of the plugin for this host, or update the host";
    account.lost({
      code: "CHANNEL_MESSAGE_LOST",
      message: `a message was lost: ${message}; ${next}; openclaw channels lost shows it`,
    });
    const about = { code: "CHANNEL_MESSAGE_LOST", channel, accountId, pluginId, part };
    try {
      if (facts.text === undefined && facts.senderId === undefined) {
        this.#tellUnread(`${channel} ${accountId} ${part}`, message, about);
        return;
      }
      const isNew = await this.#keep({ channel, accountId, pluginId, part }, facts);
      if (!isNew) return;
      logger.error(
        `channel "${channel}" lost a message${this.#textOf(facts)}: ${message}; it is kept (openclaw channels lost)`,
        about,
      );
    } catch (error) {
      logger.error(
        `channel "${channel}" lost a message${this.#textOf(facts)}: ${message}; it could not be kept: ${errorMessage(error)}`,
        about,
      );
    }
  }

  /** Returns the messages that wait for a replay, oldest first. */
  async list(): Promise<readonly LostMessage[]> {
    return await this.#dependencies.store.messages.lost.waiting();
  }

  /**
   * Hands a message to the host as if its channel had received it now. One that was handed over is not handed over again.
   * @param id - ID of the lost message
   * @returns `ignored` when the rules of the channel do not accept its sender; it then remains
   * @throws LostMessageNotFoundError, LostMessageIncompleteError, ChannelNotFoundError
   */
  async replay(id: string): Promise<Reception> {
    const { store, manager, receiver } = this.#dependencies;
    const lost = await store.messages.lost.get(id);
    if (lost === undefined || lost.replayedAt !== undefined) throw new LostMessageNotFoundError(id);
    const account = manager.require(lost.channel, lost.accountId);
    const reception = await receiver.receive(incomingOf(lost), account);
    if (reception === "accepted") await store.messages.lost.replay(id);
    return reception;
  }

  /**
   * Deletes a message.
   * @param id - ID of the lost message
   * @throws LostMessageNotFoundError
   */
  async discard(id: string): Promise<void> {
    const isDeleted = await this.#dependencies.store.messages.lost.delete(id);
    if (!isDeleted) throw new LostMessageNotFoundError(id);
  }

  #tellUnread(key: string, message: string, about: Readonly<Record<string, unknown>>): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#dependencies.logger.error(
      `channel "${String(about.channel)}" may lose messages: ${message}; the call does not contain the message`,
      about,
    );
  }

  async #keep(
    place: Pick<LostMessage, "channel" | "accountId" | "pluginId" | "part">,
    facts: LostFacts,
  ): Promise<boolean> {
    const { channel: _channel, accountId: _accountId, room, ...texts } = facts;
    const { channel, accountId } = place;
    const identity = JSON.stringify([channel, accountId, facts.externalId ?? randomUUID()]);
    const id = createHash("sha256").update(identity).digest("hex").slice(0, 16);
    const message: JsonObject = defined({ ...texts, room: room && { ...room } });
    return await this.#dependencies.store.messages.lost.add({ ...place, id, message });
  }

  #textOf({ text, senderId }: LostFacts): string {
    const from = senderId === undefined ? "" : ` of ${senderId}`;
    if (text === undefined) return from;
    return `${from}: ${JSON.stringify(startOfText(this.#dependencies.redact(text), SHOWN_TEXT))}`;
  }
}

/** Returns the account that a call names, else the first one of the plugin. */
function accountOf(
  accounts: readonly ChannelAccount[],
  { channel, accountId }: LostFacts,
): ChannelAccount | undefined {
  const named = accounts.filter((each) => channel === undefined || each.channel.name === channel);
  const possible = named.length === 0 ? accounts : named;
  return possible.find((each) => each.accountId === accountId) ?? possible[0];
}

/** The ID on the platform keeps a later delivery of the same message from being processed twice. */
function incomingOf({ id, channel, accountId, message, lostAt }: LostMessage): IncomingMessage {
  const text = textIn(message, "text");
  const userId = textIn(message, "senderId");
  if (text === undefined || userId === undefined) {
    throw new LostMessageIncompleteError(id, text === undefined ? "its text" : "its sender");
  }
  return defined({
    id,
    channel,
    accountId,
    userId,
    content: text,
    userName: textIn(message, "senderName"),
    conversationId: textIn(message, "conversationId"),
    threadId: textIn(message, "threadId"),
    room: roomIn(message.room),
    isMention: roomIn(message.room) === undefined ? undefined : true,
    externalId: textIn(message, "externalId") ?? `lost:${id}`,
    receivedAt: new Date(lostAt),
    metadata: {},
  });
}

function textIn(message: JsonObject, field: string): string | undefined {
  const value = message[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function roomIn(value: unknown): ChannelRoom | undefined {
  if (!isSection(value) || typeof value.id !== "string") return undefined;
  return { kind: value.kind === "channel" ? "channel" : "group", id: value.id };
}
