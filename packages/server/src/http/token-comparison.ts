import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Compares a presented token with the correct one in time that does not depend on their differences.
 * @param presented - token from the client
 * @param token - token of the gateway
 */
export function tokenMatches(presented: string, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}
