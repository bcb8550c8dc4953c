import { StoreArgumentError } from "../errors.js";

/**
 * Checks the maximum number of rows that a call may return. SQLite treats a negative limit as no
 * limit.
 * @param call - name of the call, for the message
 * @param limit - maximum number of rows
 * @throws StoreArgumentError unless the limit is a whole number from 1
 */
export function requireLimit(call: string, limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 1) return;
  throw new StoreArgumentError(call, "limit", "a whole number from 1", limit);
}
