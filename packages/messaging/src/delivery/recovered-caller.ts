import type { DeliveryTarget } from "@openclaw/store";
import type { Caller, ReplySurface } from "../messages/inbound.js";
import { type ReplyAddress, replyTarget } from "./target.js";

/** Reason stored with a reply that was not shown because its caller had gone. */
export const CALLER_GONE = "the caller had disconnected; the reply is in the transcript";

/**
 * Returns the surface of a channel that outlives the process; undefined when the channel has none.
 * @param target - destination of the reply
 */
export type FindSurface = (target: DeliveryTarget) => ReplySurface | undefined;

/**
 * Returns the caller for a message of an earlier process: the surface of its channel, or a caller that has
 * gone.
 * @param message - stored message
 * @param findSurface - returns the surface of a channel
 */
export function recoveredCaller(message: ReplyAddress, findSurface: FindSurface): Caller {
  const surface = findSurface(replyTarget(message));
  return surface === undefined ? { hasGone: true } : { surface };
}
