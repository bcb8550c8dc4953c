import type { ChannelContext, IncomingMessage } from "@openclaw/plugin-sdk/channel-core";
import type { Adapter, WebhookOptions } from "chat";
import { BridgeChat, type ThreadHistory } from "./adapter/chat.js";
import { channelFailure } from "./adapter/failure.js";
import { BridgeLogger } from "./adapter/logger.js";
import { loadAdapter, loadDependency } from "./adapter/package.js";
import { BridgeState, type BridgeStateDependencies } from "./adapter/state.js";
import { Inbox } from "./messages/inbox.js";
import type { BridgeSettings, PlatformConnection, Preset } from "./presets/preset.js";
import { adapterOptions } from "./settings.js";

/** Seconds after which a platform may send a request again that the host could not store. */
const RETRY_AFTER_S = 5;

/** Messages of a thread that an adapter can read; it needs the last one. */
const KEPT_MESSAGES = 5;

/** Dependencies of {@link BridgeAccount}. */
export interface BridgeDependencies extends Pick<BridgeStateDependencies, "kv" | "now"> {
  /** Folders in which packages of adapters are searched. */
  readonly folders: readonly string[];
  /** Options for every adapter that a configuration file cannot express, such as a transport of files. */
  readonly adapterOptions: BridgeSettings;
}

/** A running account: an adapter, and its messages on the way to the host. */
export class BridgeAccount {
  readonly adapter: Adapter;
  /** Folder of the package of the adapter. */
  readonly folder: string;
  /** Options with which the adapter was created. */
  readonly settings: BridgeSettings;
  readonly #inbox: Inbox;
  readonly #state: BridgeState;
  readonly #logger: BridgeLogger;
  #connection: PlatformConnection | undefined;

  private constructor(parts: AccountParts) {
    this.adapter = parts.adapter;
    this.folder = parts.folder;
    this.settings = parts.settings;
    this.#inbox = parts.inbox;
    this.#state = parts.state;
    this.#logger = parts.logger;
  }

  /**
   * Creates and starts the adapter of an account.
   * @param preset - the platform
   * @param context - account, configuration and log
   * @param dependencies - store and folders
   * @throws ChannelStartupFailedError when a setting or the package is missing, and what `channelFailure` returns
   */
  static async open(
    preset: Preset,
    context: ChannelContext,
    { kv, now, folders, adapterOptions: given }: BridgeDependencies,
  ): Promise<BridgeAccount> {
    const { channel } = preset;
    const { accountId, saveAttachment } = context;
    const logger = new BridgeLogger(context.logger);
    const settings = { ...adapterOptions(preset, context.config, logger), ...given };
    const { create, folder } = await loadAdapter(channel, preset.adapter, folders);
    const inbox = new Inbox();
    const state = new BridgeState({ kv, now, prefix: `${channel}/${accountId}/` });
    try {
      const adapter = create(settings);
      const history = await threadHistory(adapter, folder, state);
      const chat = new BridgeChat({
        receiver: {
          channel,
          accountId,
          adapter,
          logger: context.logger,
          saveAttachment: (file) => saveAttachment(file),
          now: () => new Date(now()),
          fetchFile: (file) => preset.fetchFile?.(adapter, file, settings) ?? file.fetchData?.(),
        },
        logger,
        state,
        history,
        deliver: (message) => inbox.add(message),
        ...(preset.threadOfAction === undefined ? {} : { threadOfAction: preset.threadOfAction }),
      });
      await adapter.initialize(chat);
      await preset.checkStart?.({ adapter, settings, lastProblem: logger.lastProblem });
      const account = new BridgeAccount({ adapter, folder, settings, inbox, state, logger });
      account.#connection = await preset.connect?.({
        ...{ folder, settings, state, logger },
        handle: (request) => account.handle(request),
        onFailure: (error) => inbox.end(channelFailure(channel, error)),
      });
      return account;
    } catch (error) {
      throw channelFailure(channel, error);
    }
  }

  /** Yields the messages of the account, until `end`. */
  messages(): AsyncGenerator<IncomingMessage> {
    return this.#inbox.messages();
  }

  /** Ends the stream of messages. */
  end(): void {
    this.#inbox.end();
  }

  /** Ends the connections of the adapter. */
  async close(): Promise<void> {
    this.end();
    try {
      await this.#connection?.close();
      await this.adapter.disconnect?.();
    } catch (error) {
      this.#logger.debug("the adapter did not end", { error });
    }
  }

  /**
   * Handles a request of the platform, and answers once the host has every message of it (CHAN-013).
   * @param request - the request; the adapter checks its signature
   * @returns the adapter's answer; 503 when a message was not stored, so that the platform sends it again
   */
  async handle(request: Request): Promise<Response> {
    try {
      return await this.#state.request((tasks) =>
        this.#answer(request, { waitUntil: (task) => void tasks.push(task) }),
      );
    } catch (error) {
      this.#logger.warn("a request was not completed; the platform must send it again", { error });
      return new Response("The message was not stored. Send it again.", {
        status: 503,
        headers: { "retry-after": String(RETRY_AFTER_S) },
      });
    }
  }

  /** An adapter that throws could not read the request; the same request would fail again. */
  async #answer(request: Request, options: WebhookOptions): Promise<Response> {
    try {
      return await this.adapter.handleWebhook(request, options);
    } catch (error) {
      this.#logger.warn("a request has an invalid form", { error });
      return new Response("The request has an invalid form.", { status: 400 });
    }
  }
}

/** Returns the history that an adapter reads from its state, because its platform has none. */
async function threadHistory(
  { persistThreadHistory, persistMessageHistory }: Adapter,
  folder: string,
  state: BridgeState,
): Promise<ThreadHistory | undefined> {
  if (persistThreadHistory !== true && persistMessageHistory !== true) return undefined;
  const chat = await loadDependency("chat", folder);
  const History = chat?.ThreadHistoryCache;
  return typeof History === "function"
    ? Reflect.construct(History, [state, { maxMessages: KEPT_MESSAGES }])
    : undefined;
}

interface AccountParts {
  readonly adapter: Adapter;
  readonly folder: string;
  readonly settings: BridgeSettings;
  readonly inbox: Inbox;
  readonly state: BridgeState;
  readonly logger: BridgeLogger;
}
