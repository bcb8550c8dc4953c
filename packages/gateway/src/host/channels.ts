import {
  type IncompleteAccount,
  incompleteAccounts,
  incompleteNotice,
  type OpenClawConfiguration,
  offeredSchemaOf,
} from "@openclaw/configuration";
import { errorMessage, nearestName } from "@openclaw/foundation";
import {
  accountSections,
  type ChannelManager,
  ChannelNotFoundError,
  type ChannelStatus,
  channelSettings,
  isSection,
  type Messaging,
} from "@openclaw/messaging";
import type { ChannelAdapters } from "@openclaw/older-plugins";
import {
  isNativeChannel,
  type PluginGeneration,
  type PluginRuntime,
} from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";

/** Dependencies of {@link HostChannels}. */
export interface HostChannelsDependencies {
  readonly plugins: Pick<PluginRuntime, "current" | "onChanged" | "onChannelsChanged">;
  readonly messaging: Pick<
    Messaging,
    "channels" | "channelInbound" | "channelMessages" | "lostMessages"
  >;
  /** Channels of older plugins, which are made of adapters. */
  readonly adapters: ChannelAdapters;
  readonly logger: Logger;
}

type OfferedChannel = PluginGeneration["channels"][number];

/** Channel of a plugin that does not run. */
export interface IdleChannel {
  readonly channel: string;
  readonly pluginId: string;
  /** Account that lacks settings; absent for a channel of which no account runs. */
  readonly accountId?: string;
  /** `unconfigured`: the configuration has no section for it; `incomplete`: it lacks settings. */
  readonly state: "unconfigured" | "disabled" | "incomplete";
  /** Settings that it lacks. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** Settings and steps with which a channel is set up. */
export interface ChannelSetup {
  readonly channel: string;
  readonly pluginId: string;
  /** JSON Schema of the plugin for an account. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Steps on the platform and in the product, in their order. */
  readonly steps: readonly string[];
}

/** Keeps the running channels those of the loaded plugins and the configuration (CHAN-010). */
export class HostChannels {
  readonly #dependencies: HostChannelsDependencies;
  #sections: Readonly<Record<string, unknown>>;
  #preparing: Promise<void> | undefined;
  #isSuspended = false;
  #admit: () => void = () => {};
  readonly #admitted = new Promise<void>((admit) => {
    this.#admit = admit;
  });

  /**
   * @param dependencies - plugins, messaging and log
   * @param configuration - configuration for plugins, with stored secrets
   */
  constructor(dependencies: HostChannelsDependencies, configuration: OpenClawConfiguration) {
    this.#dependencies = dependencies;
    this.#sections = sectionsOf(configuration);
  }

  get manager(): ChannelManager {
    return this.#dependencies.messaging.channels.manager;
  }

  /** Finds the surfaces of conversations. */
  get findSurface(): Messaging["channels"]["findSurface"] {
    return this.#dependencies.messaging.channels.findSurface;
  }

  /** Senders whom the operator admits. */
  get pairing(): Messaging["channels"]["pairing"] {
    return this.#dependencies.messaging.channels.pairing;
  }

  /** Messages that plugins of channels lost. */
  get lost(): Messaging["lostMessages"] {
    return this.#dependencies.messaging.lostMessages;
  }

  /** Messages to conversations of channels. */
  get messages(): Messaging["channelMessages"] {
    return this.#dependencies.messaging.channelMessages;
  }

  /**
   * Returns how a channel is set up.
   * @param name - name of the channel
   * @throws ChannelNotFoundError when no plugin offers it
   */
  describe(name: string): ChannelSetup {
    const { channels, plugins } = this.#dependencies.plugins.current;
    const offered = channels.find(({ id }) => id === name);
    if (offered === undefined) {
      const names = channels.map(({ id }) => id);
      throw new ChannelNotFoundError(name, nearestName(name, names));
    }
    const { pluginId } = offered;
    const plugin = plugins.find(({ id }) => id === pluginId);
    const settings = plugin && offeredSchemaOf(plugin, name);
    const steps = settings?.["x-steps"];
    return {
      ...{ channel: name, pluginId },
      ...(settings === undefined ? {} : { settings }),
      steps: Array.isArray(steps) ? steps.map(String) : [],
    };
  }

  /** Reads the admitted senders, and prepares the channels, so that recovered replies find them. */
  async prepare(): Promise<void> {
    this.#preparing ??= this.#prepare();
    await this.#preparing;
  }

  /** Connects the channels. Their messages wait for {@link admit}. */
  async start(): Promise<void> {
    await this.prepare();
    const { channelInbound } = this.#dependencies.messaging;
    this.manager.start({
      receive: async (message, account) => {
        await this.#admitted;
        return await channelInbound.receive(message, account);
      },
      observe: (event, account) =>
        void this.#admitted.then(() => channelInbound.observe(event, account)),
    });
  }

  /**
   * Ends the connections of every channel, because another node has them, or connects them again (SCALE-017).
   * @param isSuspended - true while another node has them
   */
  async suspend(isSuspended: boolean): Promise<void> {
    this.#isSuspended = isSuspended;
    if (this.#preparing === undefined) return;
    await this.#preparing;
    await this.#apply();
  }

  /** Lets messages in, once the work of an earlier process was resumed. */
  admit(): void {
    this.#admit();
  }

  async #prepare(): Promise<void> {
    const { plugins, logger } = this.#dependencies;
    await this.pairing.load();
    await this.#apply();
    const applyAgain = () => {
      this.#apply().catch((error: unknown) => {
        logger.error(`the channels of reloaded plugins did not start: ${errorMessage(error)}`);
      });
    };
    plugins.onChanged(applyAgain);
    plugins.onChannelsChanged(applyAgain);
  }

  /**
   * Applies a changed configuration.
   * @param configuration - configuration for plugins, with stored secrets
   */
  async configure(configuration: OpenClawConfiguration): Promise<void> {
    this.#sections = sectionsOf(configuration);
    await this.#apply();
  }

  /** Channels of loaded plugins that do not run. */
  get idle(): readonly IdleChannel[] {
    const running = new Set(this.manager.names);
    return this.#dependencies.plugins.current.channels.flatMap((offered): IdleChannel[] => {
      const { id, pluginId } = offered;
      const incomplete = this.#incompleteOf(offered);
      if (incomplete.length > 0) {
        return incomplete.map((account) => ({
          ...{ channel: id, accountId: account.accountId, pluginId, state: "incomplete" },
          problem: { code: "CHANNEL_INCOMPLETE", message: incompleteNotice(id, account) },
        }));
      }
      if (running.has(id)) return [];
      const state = this.#sectionFor(offered) === undefined ? "unconfigured" : "disabled";
      return [{ channel: id, pluginId, state }];
    });
  }

  /** Returns the accounts that are not started, because they lack settings which the manifest requires. */
  #incompleteOf({ id, pluginId }: OfferedChannel): readonly IncompleteAccount[] {
    const section = this.#sectionOf(id);
    const { plugins } = this.#dependencies.plugins.current;
    const plugin = plugins.find((each) => each.id === pluginId);
    const schema = plugin && offeredSchemaOf(plugin, id);
    if (section === undefined || schema === undefined) return [];
    return incompleteAccounts(section, schema);
  }

  #apply(): Promise<void> {
    if (this.#isSuspended) return this.manager.apply([]);
    const { channels } = this.#dependencies.plugins.current;
    return this.manager.apply(channels.flatMap((each) => this.#accountsOf(each)));
  }

  #accountsOf(registered: OfferedChannel) {
    const { pluginId, channel: offered, config } = registered;
    const section = this.#sectionFor(registered);
    if (section === undefined) return [];
    const { adapters } = this.#dependencies;
    const { channel, sections } = isNativeChannel(offered)
      ? { channel: offered, sections: accountSections(section) }
      : adapters.use({ pluginId, channel: offered, config }, section);
    const incomplete = this.#incompleteOf(registered).map(({ accountId }) => accountId);
    const limit = this.#limitOf(pluginId);
    return [...sections]
      .filter(([accountId, settings]) => {
        return channelSettings(settings).enabled && !incomplete.includes(accountId);
      })
      .map(([accountId, settings]) => ({
        ...{ channel, pluginId, accountId, config: settings, limit },
      }));
  }

  /** Returns why a plugin may lose messages: it imports parts of the SDK that this host lacks (CHAN-520). */
  #limitOf(pluginId: string): ChannelStatus["problem"] {
    const { plugins } = this.#dependencies.plugins.current;
    const missing = plugins.find(({ id }) => id === pluginId)?.missingParts ?? [];
    if (missing.length === 0) return undefined;
    const [first] = missing;
    const more = missing.length === 1 ? "" : ` and ${missing.length - 1} more`;
    const part = first?.name === undefined ? "" : `"${first.name}" of `;
    return {
      code: "CHANNEL_PARTS_MISSING",
      message: `messages may need parts of the SDK that this host does not have: ${part}"${first?.specifier}"${more} (openclaw plugins inspect ${pluginId}); one that is lost is kept (openclaw channels lost), and the first that passes ends this notice`,
    };
  }

  /**
   * A channel without a section is not started, because a plugin may offer more than the operator uses; one that the
   * operator installed by itself is.
   */
  #sectionFor({ id, channel }: OfferedChannel) {
    const runs = isNativeChannel(channel) && channel.capabilities?.runsUnconfigured === true;
    return this.#sectionOf(id) ?? (runs ? {} : undefined);
  }

  #sectionOf(id: string) {
    const section = Object.hasOwn(this.#sections, id) ? this.#sections[id] : undefined;
    return isSection(section) ? section : undefined;
  }
}

function sectionsOf({ channels }: OpenClawConfiguration): Readonly<Record<string, unknown>> {
  return { ...channels };
}
