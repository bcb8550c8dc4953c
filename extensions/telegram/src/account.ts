import http from "node:http";
import https from "node:https";
import {
  type AttachmentMeta,
  type ChannelContext,
  ChannelDisconnectedError,
  type IncomingMessage,
} from "@openclaw/plugin-sdk/channel-core";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { Api } from "grammy";
import type { Update, UserFromGetMe } from "grammy/types";
import { albumOf, SeenParts } from "./album.js";
import { readEvent } from "./events.js";
import { channelFailure } from "./failures.js";
import { RECEIVED_UPDATES, type ReadUpdate, readUpdate, type TelegramFile } from "./incoming.js";
import type { KeptParts } from "./kept-parts.js";
import { type MovedGroups, moveIn } from "./moved-groups.js";
import { TelegramSender } from "./sender.js";
import type { TelegramSettings } from "./settings.js";
import { UpdatePolls } from "./update-polls.js";
import { UpdateQueue } from "./update-queue.js";

/** Signal as grammY declares it: the same interface, by its name in a polyfill. */
type ApiSignal = NonNullable<Parameters<Api["getMe"]>[0]>;

/** A bot and its connection to Telegram. */
export class TelegramAccount {
  /** Updates that arrive at the webhook. */
  readonly updates: UpdateQueue;
  readonly settings: TelegramSettings;
  /** Sends the messages of the bot. */
  readonly sender: TelegramSender;
  readonly #context: ChannelContext;
  readonly #api: Api;
  readonly #groups: MovedGroups;
  readonly #albums = new SeenParts();

  /**
   * @param settings - settings of the account
   * @param context - signal and log of the account
   * @param groups - groups that became supergroups
   * @param parts - parts of albums that arrived at the webhook
   */
  constructor(
    settings: TelegramSettings,
    context: ChannelContext,
    groups: MovedGroups,
    parts: KeptParts,
  ) {
    const { logger } = context;
    this.settings = settings;
    this.updates = new UpdateQueue({
      parts,
      onFailure: (error) => logger.warn("parts of an album were not removed", { error }),
    });
    this.#context = context;
    this.#groups = groups;
    const { botToken, apiRoot } = settings;
    // The agents of grammY would not follow the proxies of the environment.
    const agent = apiRoot.startsWith("https:") ? https.globalAgent : http.globalAgent;
    this.#api = new Api(botToken, { apiRoot, baseFetchConfig: { agent } });
    this.sender = new TelegramSender(this.#api, groups);
  }

  /**
   * Receives messages until the signal aborts. An update is confirmed to Telegram once the host asks for the next
   * message, which it does when the message is stored.
   * @throws ChannelError when the connection fails
   */
  async *receive(): AsyncGenerator<IncomingMessage> {
    const { updates } = this.settings;
    try {
      const me = await this.#api.getMe(this.#signal);
      if (updates.by === "webhook") {
        const { url, secret: secret_token } = updates;
        const allowed_updates = [...RECEIVED_UPDATES];
        await this.#api.setWebhook(url, { secret_token, allowed_updates }, this.#signal);
        this.#context.connected();
        yield* this.#fromWebhook(me);
      } else {
        await this.#api.deleteWebhook({}, this.#signal);
        yield* this.#fromPolls(me);
      }
    } catch (error) {
      if (this.#context.signal.aborted) return;
      throw channelFailure(error);
    }
  }

  /**
   * Asks Telegram who the bot is.
   * @throws ChannelError when the token is not accepted or there is no answer
   */
  async check(): Promise<void> {
    await this.#api.getMe().catch((error: unknown) => {
      throw channelFailure(error);
    });
  }

  get #signal(): ApiSignal {
    return this.#context.signal as ApiSignal;
  }

  async *#fromPolls(me: UserFromGetMe): AsyncGenerator<IncomingMessage> {
    for await (const updates of new UpdatePolls(this.#api, this.#context).read()) {
      const message = await this.#messageOf(updates, me);
      if (message !== undefined) yield message;
    }
  }

  async *#fromWebhook(me: UserFromGetMe): AsyncGenerator<IncomingMessage> {
    const { signal } = this.#context;
    await this.updates.restore();
    for await (const { updates, accepted } of this.updates.read(signal)) {
      const message = await this.#messageOf(updates, me);
      if (message === undefined) accepted();
      else yield { ...message, acknowledge: accepted };
    }
    throw new ChannelDisconnectedError("telegram", "the webhook was closed");
  }

  /** Reads an update, or the parts of an album. */
  async #messageOf(
    updates: readonly Update[],
    me: UserFromGetMe,
  ): Promise<IncomingMessage | undefined> {
    const { accountId, logger } = this.#context;
    const chats = this.#groups;
    const parts: ReadUpdate[] = [];
    for (const update of updates) {
      const move = moveIn(update);
      if (move !== undefined) await chats.add(move.from, move.to);
      const part = readUpdate(update, me, { accountId, chats });
      const event = part === undefined ? readEvent(update, chats) : undefined;
      if (event !== undefined) this.#context.report?.(event);
      if (part !== undefined) parts.push(part);
    }
    const album = updates[0] && albumOf(updates[0]);
    const read = album === undefined ? parts[0] : this.#albums.merge(album, parts);
    if (read === undefined) return undefined;
    const { message, files, pressId } = read;
    if (pressId !== undefined) {
      await this.#api.answerCallbackQuery(pressId).catch((error: unknown) => {
        logger.debug(`a press of a button was not answered: ${channelFailure(error).message}`);
      });
    }
    if (files.length === 0) return message;
    const attachments: AttachmentMeta[] = [];
    const notes: string[] = [];
    for (const file of files) {
      try {
        attachments.push(await this.#download(file));
      } catch (error) {
        const problem = errorMessage(error);
        logger.warn(`a file was not received: ${problem}`);
        notes.push(`[The file ${file.name} could not be received.]`);
      }
    }
    const content = [message.content, ...notes].filter(Boolean).join("\n");
    return { ...message, content, ...(attachments.length === 0 ? {} : { attachments }) };
  }

  async #download({ fileId, name, mimeType }: TelegramFile) {
    const { botToken, apiRoot } = this.settings;
    const { file_path: path } = await this.#api.getFile(fileId);
    if (path === undefined) throw new Error("Telegram does not offer files of this size to bots");
    const { signal } = this.#context;
    const response = await fetch(`${apiRoot}/file/bot${botToken}/${path}`, { signal });
    if (!response.ok || response.body === null) throw new Error(`HTTP status ${response.status}`);
    return this.#context.saveAttachment({ name, mimeType, content: response.body });
  }
}
