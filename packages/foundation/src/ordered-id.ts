import { v7 } from "uuid";

/**
 * Returns a UUID of version 7, which begins with the time: later ids sort later. Rows of new messages and runs
 * are then stored side by side; random ids would each touch a page of their own.
 * @param now - milliseconds since the epoch
 */
export function orderedId(now: number): string {
  return v7({ msecs: now });
}
