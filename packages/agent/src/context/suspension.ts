import { TurnSuspendedError } from "../errors.js";

/**
 * Returns true if a turn was cut off because its host stops. Such a turn writes nothing; it repeats the
 * step after it resumes.
 * @param signal - signal of the turn
 */
export function isSuspended(signal: AbortSignal): boolean {
  return signal.aborted && TurnSuspendedError.isInstance(signal.reason);
}
