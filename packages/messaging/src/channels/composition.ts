import type { Timers } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { ChannelAccess } from "@openclaw/tool-policy";
import { type ForwardOf, withForwards } from "../delivery/forwarded-replies.js";
import type { FindSurface } from "../delivery/recovered-caller.js";
import { ReceivedFiles } from "../messages/received-files.js";
import { ChannelPairing } from "../senders/pairing.js";
import { SenderAccess } from "../senders/sender-access.js";
import { ChannelManager } from "./manager.js";
import { channelSettings } from "./settings.js";

/** Options of {@link createChannels}. */
export interface ChannelsOptions {
  readonly store: Store;
  readonly plugins: Pick<PluginRuntime, "callPlugin">;
  readonly logger: Logger;
  readonly timers: Timers;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** The access lists of channels, `channels.<channel>.senders`. */
  readonly lists: Pick<ChannelAccess, "decide">;
  /** Returns the absolute path of the folder for received files. */
  filesDir(): string;
  /** Returns the surface of a channel that is not one of a plugin. */
  readonly findSurface: FindSurface;
  /** Returns the conversation that receives the replies for another target. */
  readonly forwardOf?: ForwardOf | undefined;
  /**
   * Removes secrets from the message of a failure.
   * @param text - message of an error of a channel
   */
  redact(text: string): string;
}

/** Channels below the message flow: who runs, whose messages are accepted, and where replies go. */
export interface Channels {
  readonly manager: ChannelManager;
  readonly pairing: ChannelPairing;
  readonly access: SenderAccess;
  readonly findSurface: FindSurface;
  /** Files that people send. */
  readonly files: ReceivedFiles;
}

/**
 * Creates the channels of a host; none runs yet.
 * @param options - store, plugins, access lists, log and clock
 */
export function createChannels(options: ChannelsOptions): Channels {
  const { store, plugins, logger, timers, lists } = options;
  const files = new ReceivedFiles(() => options.filesDir());
  const pairing = new ChannelPairing({ store, logger });
  const manager = new ChannelManager({
    ...{ store, logger, timers, pairing },
    now: () => options.now(),
    redact: (text) => options.redact(text),
    callPlugin: (pluginId, call) => plugins.callPlugin(pluginId, call),
    files,
  });
  const access = new SenderAccess({
    lists,
    settingsOf(channel, accountId) {
      const account = manager.account(channel, accountId);
      return account && channelSettings(account.config, account.channel.capabilities);
    },
    isPaired: (channel, accountId, senderId) => pairing.isPaired(channel, accountId, senderId),
  });
  const findSurface = withForwards(
    (target, messageId) =>
      options.findSurface(target, messageId) ?? manager.surface(target, messageId),
    (target) => options.forwardOf?.(target),
  );
  return { manager, pairing, access, findSurface, files };
}
