import type { ChannelContext, IncomingMessage } from "@openclaw/plugin-sdk/channel-core";
import type { Adapter, WebhookOptions } from "chat";
import { BridgeChat } from "./adapter/chat.js";
import { channelFailure } from "./adapter/failure.js";
import { BridgeLogger } from "./adapter/logger.js";
import { loadAdapter } from "./adapter/package.js";
import { BridgeState, type BridgeStateDependencies } from "./adapter/state.js";
import { Inbox } from "./messages/inbox.js";
import type { BridgeSettings, Preset } from "./presets/preset.js";
import { adapterOptions } from "./settings.js";

/** Seconds after which a platform may send a request again that the host could not store. */
const RETRY_AFTER_S = 5;

/** What the bridge needs from the host and from its operator. */
export interface BridgeDependencies extends Pick<BridgeStateDependencies, "kv" | "now"> {
  /** Folders in which packages of adapters are searched. */
  readonly folders: readonly string[];
  /** Options for every adapter that a configuration file cannot express, such as a transport behind a proxy. */
  readonly adapterOptions: BridgeSettings;
}

/** A running account: an adapter, and its messages on the way to the host. */
export class BridgeAccount {
  readonly adapter: Adapter;
  /** Folder of the package of the adapter. */
  readonly folder: string;
  readonly #inbox: Inbox;
  readonly #state: BridgeState;
  readonly #logger: BridgeLogger;

  private constructor(adapter: Adapter, folder: string, parts: AccountParts) {
    this.adapter = adapter;
    this.folder = folder;
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
    const options = adapterOptions(preset, context.config, logger);
    const { create, folder } = await loadAdapter(channel, preset.adapter, folders);
    const inbox = new Inbox();
    const state = new BridgeState({ kv, now, prefix: `${channel}/${accountId}/` });
    try {
      const adapter = create({ ...options, ...given });
      const chat = new BridgeChat({
        receiver: {
          channel,
          accountId,
          adapter,
          logger: context.logger,
          saveAttachment: (file) => saveAttachment(file),
          now: () => new Date(now()),
        },
        logger,
        state,
        deliver: (message) => inbox.add(message),
        ...(preset.threadOfAction === undefined ? {} : { threadOfAction: preset.threadOfAction }),
      });
      await adapter.initialize(chat);
      await preset.checkStart?.(adapter, logger.lastProblem);
      return new BridgeAccount(adapter, folder, { inbox, state, logger });
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
      return await this.#state.request(async () => {
        const tasks: Promise<unknown>[] = [];
        const options: WebhookOptions = { waitUntil: (task) => void tasks.push(task) };
        const response = await this.#answer(request, options);
        // A task may add further ones.
        for (let settled = 0; settled < tasks.length; settled += 1) await tasks[settled];
        return response;
      });
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

interface AccountParts {
  readonly inbox: Inbox;
  readonly state: BridgeState;
  readonly logger: BridgeLogger;
}
