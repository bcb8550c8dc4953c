import type { DeliveryTarget } from "@openclaw/store";
import type { Caller, ReplySurface } from "../messages/inbound.js";
import { type ReplyAddress, replyTarget } from "./target.js";

/** Reason stored with a reply that was not shown because its caller had gone. */
export const CALLER_GONE = "nobody waited for it; it is in the transcript";

/**
 * Returns the surface of a channel that outlives the process; undefined when the channel has none.
 * @param target - where the reply goes
 */
export type FindSurface = (target: DeliveryTarget) => ReplySurface | undefined;

/**
 * Returns the caller for a message of an earlier process: the surface of its channel, or one that has gone.
 * @param message - the message
 * @param findSurface - returns the surface of a channel
 */
export function recoveredCaller(message: ReplyAddress, findSurface: FindSurface): Caller {
  const surface = findSurface(replyTarget(message));
  return surface === undefined ? { hasGone: true } : { surface };
}
