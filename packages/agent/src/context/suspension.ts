import { TurnSuspendedError } from "../errors.js";

/**
 * Whether a turn is cut off by the end of its host. What it would write now it does again later.
 * @param signal - of the turn
 */
export function isSuspended(signal: AbortSignal): boolean {
  return signal.aborted && TurnSuspendedError.isInstance(signal.reason);
}
