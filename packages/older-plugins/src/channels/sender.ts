import type { AdapterChannel } from "@openclaw/plugin-sdk/channel-core";
import { adapterMethod } from "./method.js";

/**
 * Returns the function that spells the ID of a sender in the one way in which it is stored and compared: that of the
 * plugin, or without the prefix of the channel.
 * @param channel - channel of an older plugin
 */
export function senderNormalizer(channel: AdapterChannel): (id: string) => string {
  const ofPlugin = adapterMethod(channel, "pairing", "normalizeAllowEntry");
  const prefix = new RegExp(`^(?:${escaped(channel.id)}|user):`, "i");
  return (id) => {
    const plain = id.trim().replace(prefix, "");
    const spelled = ofPlugin?.(id.trim());
    return typeof spelled === "string" && spelled !== "" ? spelled.replace(prefix, "") : plain;
  };
}

/**
 * Removes the prefixes of a channel and of a kind of conversation from a target such as `irc:channel:#general`.
 * @param target - target in the form of the plugin
 */
export function bareTarget(channel: string, target: string): string {
  return target
    .trim()
    .replace(new RegExp(`^${escaped(channel)}:`, "i"), "")
    .replace(/^(?:group|channel|room|chat|conversation|space|stream|thread|direct|dm|user):/i, "");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
