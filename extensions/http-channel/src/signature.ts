import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * Returns the value of `X-Signature` for a body.
 * @param secret - secret of the account
 * @param body - body as it is sent
 */
export function signatureOf(secret: string, body: string | Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/**
 * Returns true if two strings are equal, in a time that does not depend on them.
 * @param one - string from a request
 * @param other - expected string
 */
export function isEqual(one: string, other: string): boolean {
  // The hashes have the same length whatever a caller sends.
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
