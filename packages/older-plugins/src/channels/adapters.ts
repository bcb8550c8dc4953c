import type { Timers } from "@openclaw/foundation";
import type {
  ChannelPairing,
  ChannelSection,
  MessageRouter,
  Messaging,
  ReceivedFiles,
} from "@openclaw/messaging";
import {
  type AdapterChannel,
  type Channel,
  ChannelDisconnectedError,
  type OlderChannelRuntime,
  type OlderInboundContext,
  type OlderReplyOptions,
} from "@openclaw/plugin-sdk/channel-core";
import type { HostChannelAccess, VisibleConfig } from "@openclaw/plugin-sdk/services";
import { adapterSections } from "./accounts.js";
import { AdapterBackedChannel } from "./channel.js";
import type { MessageFlight } from "./flight.js";
import { placeOf } from "./inbound-context.js";
import { lostFacts } from "./lost-facts.js";
import { createOlderRuntime } from "./runtime/older-runtime.js";

/** Dependencies of {@link ChannelAdapters}. */
export interface ChannelAdaptersDependencies {
  readonly timers: Timers;
  /** Absolute path of the state folder of the host. */
  readonly stateDir: string;
  /** Returns what exists once the host runs; plugins are loaded before. */
  services(): AdapterServices;
}

/** Parts of messaging that older channel plugins use. */
export interface AdapterServices {
  readonly router: Pick<MessageRouter, "route" | "defaultAgent">;
  readonly pairing: Pick<ChannelPairing, "pairedSenders" | "request">;
  readonly files: Pick<ReceivedFiles, "save">;
  readonly lost: Pick<Messaging["lostMessages"], "note">;
}

/** Failed call of something that this host lacks. */
export interface FailedCall {
  readonly pluginId: string;
  /** The called function, with the entry point of the SDK that should have it. */
  readonly part: string;
  /** Arguments of the call. */
  readonly given: readonly unknown[];
}

/** Channel of an older plugin, with the access of the plugin to the host. */
export interface AdapterRegistration {
  readonly pluginId: string;
  readonly channel: AdapterChannel;
  /** Returns the configuration as the plugin may see it. */
  config(): VisibleConfig;
}

/** Connects channels of older plugins, which are made of adapters, with the channels of the host. */
export class ChannelAdapters {
  readonly #dependencies: ChannelAdaptersDependencies;
  /** Each channel keeps its counterpart, so that a change of the configuration does not restart it. */
  readonly #channels = new WeakMap<AdapterChannel, AdapterBackedChannel>();
  readonly #named = new Map<string, Map<string, AdapterBackedChannel>>();
  readonly #runtimes = new Map<string, OlderChannelRuntime>();

  /** @param dependencies - services of the host, and timers */
  constructor(dependencies: ChannelAdaptersDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns a channel of an older plugin in the form of every channel, and its accounts with their sections.
   * @param registration - channel and its plugin
   * @param section - section of the channel in the configuration
   */
  use(
    registration: AdapterRegistration,
    section: ChannelSection,
  ): { readonly channel: Channel; readonly sections: ReadonlyMap<string, ChannelSection> } {
    const { channel, config } = registration;
    const sections = adapterSections(channel, section, config());
    return { channel: this.#counterpart(registration), sections };
  }

  /**
   * Returns the `api.runtime.channel` of one plugin, which reaches the channels of that plugin only.
   * @param access - configuration and network of the plugin
   */
  runtimeOf(pluginId: string, access: HostChannelAccess): OlderChannelRuntime {
    const { stateDir, timers, services } = this.#dependencies;
    const runtime = createOlderRuntime({
      ...{ stateDir, timers },
      router: {
        route: (message) => services().router.route(message),
        get defaultAgent() {
          return services().router.defaultAgent;
        },
      },
      files: { save: (channel, file) => services().files.save(channel, file) },
      config: () => access.config(),
      fetch: access.fetch,
      dispatch: (context, options) => this.#dispatch(pluginId, context, options),
      pairing: {
        read: (channel, accountId) => services().pairing.pairedSenders(channel, accountId),
        request: ({ channel, accountId, senderId, userName }) =>
          services().pairing.request({
            ...{ channel, accountId, userName },
            senderId: this.#spelled(pluginId, channel, senderId),
          }),
      },
    });
    this.#runtimes.set(pluginId, runtime);
    return runtime;
  }

  /**
   * Keeps the message on which a plugin worked when it called something that this host lacks (CHAN-521).
   * @param call - plugin, part and arguments
   */
  noteFailedCall({ pluginId, part, given }: FailedCall): void {
    const names = [...(this.#named.get(pluginId)?.keys() ?? [])];
    if (names.length === 0) return;
    const facts = lostFacts(given);
    const { channel, senderId } = facts;
    const own = channel !== undefined && names.includes(channel) ? channel : names[0];
    const spelled =
      own === undefined || senderId === undefined
        ? senderId
        : this.#spelled(pluginId, own, senderId);
    const report = { pluginId, part, facts: { ...facts, channel: own, senderId: spelled } };
    void this.#dependencies.services().lost.note(report);
  }

  #counterpart({ pluginId, channel, config }: AdapterRegistration): AdapterBackedChannel {
    const known = this.#channels.get(channel);
    if (known !== undefined) return known;
    const created = new AdapterBackedChannel({
      channel,
      config,
      channelRuntime: () => this.#runtimes.get(pluginId) ?? {},
      timers: this.#dependencies.timers,
    });
    this.#channels.set(channel, created);
    const own = this.#named.get(pluginId) ?? new Map<string, AdapterBackedChannel>();
    this.#named.set(pluginId, own.set(channel.id, created));
    return created;
  }

  async #dispatch(
    pluginId: string,
    context: OlderInboundContext,
    options: OlderReplyOptions,
  ): Promise<MessageFlight> {
    const { channel = "", accountId } = placeOf(context);
    const own = this.#named.get(pluginId);
    const found = own?.get(channel) ?? (own?.size === 1 ? [...own.values()][0] : undefined);
    const account = found?.account(accountId) ?? found?.onlyAccount;
    if (account === undefined) {
      const problem = `account ${accountId} is not running; a message for it is not accepted. See openclaw channels status`;
      throw new ChannelDisconnectedError(channel || pluginId, problem);
    }
    return await account.dispatch(context, options);
  }

  #spelled(pluginId: string, channel: string, senderId: string): string {
    const found = this.#named.get(pluginId)?.get(channel);
    return found === undefined ? senderId : found.spelling(senderId);
  }
}
