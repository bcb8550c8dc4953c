import type { DeliveryTarget } from "@openclaw/store";
import type { Caller, ReplySurface } from "../messages/inbound.js";
import { type ReplyAddress, replyTarget } from "./target.js";

/** Reason stored with a reply that was not shown because its caller had gone. */
export const CALLER_GONE = "the caller had disconnected; the reply is in the transcript";

/**
 * Returns the surface of a channel that outlives the process; undefined when the channel has none.
 * @param target - destination of the reply
 * @param messageId - ID in the inbox of the message to reply to; absent for a message that is not a reply
 */
export type FindSurface = (
  target: DeliveryTarget,
  messageId?: string | undefined,
) => ReplySurface | undefined;

/**
 * Returns the caller for a message of an earlier process: the surface of its channel, a caller that repeats
 * the message to read the outcome, or a caller that has gone.
 * @param message - stored message
 * @param row - row of the message with its idempotency key
 * @param findSurface - returns the surface of a channel
 */
export function recoveredCaller(
  message: ReplyAddress,
  row: { readonly id: string; readonly idempotencyKey?: string | undefined },
  findSurface: FindSurface,
): Caller {
  const surface = findSurface(replyTarget(message), row.id);
  if (surface !== undefined) return { surface };
  return row.idempotencyKey === undefined ? { hasGone: true } : {};
}
