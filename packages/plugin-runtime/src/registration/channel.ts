import type { Channel, ChannelRegistration } from "@openclaw/plugin-sdk";
import type { AdapterChannel } from "@openclaw/plugin-sdk/channel-core";
import type { VisibleConfig } from "@openclaw/plugin-sdk/services";
import { expectFunction, expectName, expectObject, type NameRule } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A messaging channel of a plugin. */
export interface PluginChannelRegistration extends RegistrationOrigin {
  readonly id: string;
  readonly channel: Channel | AdapterChannel;
  /** Returns the host's current configuration as the plugin may see it. */
  config(): VisibleConfig;
}

const NAME: NameRule = {
  pattern: /^[a-z][a-z0-9._-]{0,63}$/,
  expected: "a lower-case letter and up to 63 of a-z 0-9 . _ -",
};

/**
 * Checks the argument of `api.registerChannel`: a channel of this version, with a `name`, or one of an
 * older vintage, with an `id` (PLUG-035).
 * @param registration - the channel, or an object that has it as `plugin`
 * @param config - returns the configuration as the plugin may see it
 * @throws PluginRegistrationError naming the field
 */
export function readChannel(
  origin: RegistrationOrigin,
  registration: ChannelRegistration,
  config: () => VisibleConfig,
): PluginChannelRegistration {
  const call = { origin, member: "registerChannel" };
  expectObject(call, "channel", registration);
  const wrapped = "plugin" in registration ? registration.plugin : registration;
  expectObject(call, "channel", wrapped);
  const channel = wrapped as Channel | AdapterChannel;
  if (!isNativeChannel(channel)) {
    return { ...origin, id: expectName(call, "id", channel.id, NAME), channel, config };
  }
  const id = expectName(call, "name", channel.name, NAME);
  expectFunction(call, `start of channel "${id}"`, channel.start);
  expectFunction(call, `respond of channel "${id}"`, channel.respond);
  return { ...origin, id, channel, config };
}

/**
 * Returns true for a channel of this version, which has `start` and a `name` or `respond`, and may have an `id` too; one of
 * an older vintage has an `id` and its functions in adapters.
 * @param channel - channel of a plugin
 */
export function isNativeChannel(channel: Channel | AdapterChannel): channel is Channel {
  if (!("id" in channel)) return true;
  const starts = "start" in channel && typeof channel.start === "function";
  return starts && ("name" in channel || "respond" in channel);
}
