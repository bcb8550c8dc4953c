import type { DeliveryTarget } from "@openclaw/store";
import type { Caller } from "./inbound-message.js";
import type { MessageHost } from "./message-host.js";

/** Why a reply was not shown whose caller has gone. */
export const NOBODY_WAITED = "nobody waited for it; it is in the transcript";

/**
 * Who takes a reply when nobody waits for it: a channel that is there whether or not its message's
 * process still is.
 * @param target - where the reply goes
 * @param host - knows the channels
 * @returns undefined where there is none
 */
export function lastingCaller(
  target: DeliveryTarget,
  { lastingSurface }: Pick<MessageHost, "lastingSurface">,
): Caller | undefined {
  const surface = lastingSurface?.(target);
  return surface === undefined ? undefined : { surface };
}
