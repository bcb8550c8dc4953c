import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Compares a presented token with the right one in time that does not depend on where they differ.
 * @param presented - what the client sent
 * @param token - the gateway's token
 */
export function tokenMatches(presented: string, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(presented), digest(token));
}
