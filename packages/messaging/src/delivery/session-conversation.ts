import type { DeliveryTarget, Store } from "@openclaw/store";
import { HOST_CHANNELS } from "../messages/host-channels.js";
import { replyTarget } from "./target.js";

/** Keys of conversations of one channel: `agent:<id>:<channel>[:<account>]:<kind>:<peer or room>`. */
const CHANNEL_KEY = /^agent:[^:]+:([^:]+):(?:[^:]+:)?(?:direct|group|channel):/;

/**
 * Returns the conversation whose readers see the posts of a session. A client of the host may ask for something in the
 * session of another channel, whose readers are not those of the client.
 * @param sessionKey - key of the session
 * @param asked - place from which the work was asked for
 * @param inbox - messages of the session
 * @returns undefined when the session is one of a channel from which it has no message
 */
export async function conversationOf(
  sessionKey: string,
  asked: DeliveryTarget,
  inbox: Pick<Store["messages"]["inbox"], "latest">,
): Promise<DeliveryTarget | undefined> {
  if (!HOST_CHANNELS.includes(asked.channel)) return asked;
  if (channelOfKey(sessionKey) !== undefined) {
    // What a client of the host wrote into the session moves no conversation.
    const message = await inbox.latest(sessionKey, HOST_CHANNELS);
    return message && replyTarget(message);
  }
  // A client that names a session as its conversation is not in it; the newest message tells where its readers are.
  if (asked.to !== sessionKey) return asked;
  const message = await inbox.latest(sessionKey);
  return message === undefined ? asked : replyTarget(message);
}

/**
 * Returns the channel that a session key names; undefined when it names none, or a surface of the host.
 * @param sessionKey - full key
 */
export function channelOfKey(sessionKey: string): string | undefined {
  const channel = CHANNEL_KEY.exec(sessionKey)?.[1];
  return channel === undefined || HOST_CHANNELS.includes(channel) ? undefined : channel;
}
