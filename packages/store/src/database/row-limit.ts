import { StoreArgumentError } from "../errors.js";

/**
 * Checks how many rows a call may give back. SQLite would take a negative limit for none at all.
 * @param call - the call it was given to, for the message
 * @param limit - the limit
 * @throws StoreArgumentError unless it is a whole number from 1
 */
export function requireLimit(call: string, limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 1) return;
  throw new StoreArgumentError(call, "limit", "a whole number from 1", limit);
}
