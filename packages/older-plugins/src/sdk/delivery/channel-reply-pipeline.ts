import {
  createReplyPrefixOptions,
  createTypingCallbacks,
  type ReplyPrefixOptions,
  type TypingCallbacks,
} from "./channel-runtime.js";
import type { OutboundReplyPayload } from "./reply-payload.js";

export {
  createReplyPrefixContext,
  createReplyPrefixOptions,
  createTypingCallbacks,
} from "./channel-runtime.js";

/** Options for the replies to one message. */
export interface ChannelReplyPipeline extends ReplyPrefixOptions {
  readonly typingCallbacks?: TypingCallbacks;
  readonly transformReplyPayload?: (reply: OutboundReplyPayload) => OutboundReplyPayload | null;
}

/**
 * Returns the options for the replies to a message: the text before each, typing, and a change of each reply.
 * @param place - configuration, agent, channel, and functions of the platform
 * @deprecated Implement `respond` and `sendStatus` of `Channel`.
 */
export function createChannelReplyPipeline(
  place: Parameters<typeof createReplyPrefixOptions>[0] & {
    readonly typing?: Parameters<typeof createTypingCallbacks>[0];
    readonly typingCallbacks?: TypingCallbacks;
    readonly transformReplyPayload?: ChannelReplyPipeline["transformReplyPayload"];
  },
): ChannelReplyPipeline {
  const { typing, transformReplyPayload } = place;
  const typingCallbacks =
    place.typingCallbacks ?? (typing === undefined ? undefined : createTypingCallbacks(typing));
  return {
    ...createReplyPrefixOptions(place),
    ...(typingCallbacks !== undefined && { typingCallbacks }),
    ...(transformReplyPayload !== undefined && { transformReplyPayload }),
  };
}
