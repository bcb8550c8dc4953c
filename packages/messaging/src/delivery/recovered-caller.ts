import type { MessageHost } from "../inbound/host.js";
import type { Caller, InboundMessage } from "../messages/inbound.js";

/** Why a reply was not shown whose caller has gone. */
export const NOBODY_WAITED = "nobody waited for it; it is in the transcript";

/**
 * Who takes the replies to a message of an earlier process: its channel, where that is there whatever
 * process serves it.
 * @param message - the message
 * @param host - knows the channels
 */
export function laterCaller(
  {
    channel,
    conversationId,
    accountId,
    threadId,
  }: Pick<InboundMessage, "channel" | "conversationId" | "accountId" | "threadId">,
  { lastingSurface }: Pick<MessageHost, "lastingSurface">,
): Caller {
  const surface = lastingSurface?.({
    channel,
    to: conversationId,
    ...(accountId === undefined ? {} : { accountId }),
    ...(threadId === undefined ? {} : { threadId }),
  });
  return surface === undefined ? { hasGone: true } : { surface };
}
