import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/**
 * Serialises plain JSON so that equal values give equal texts (RFC 8785): no white space, keys in the order of
 * their UTF-16 code units.
 * @param value - plain JSON; properties that are undefined are left out, and undefined itself becomes `null`
 * @throws Error when the value contains a number that JSON cannot express, or a cycle
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? "null";
}

/**
 * Returns the SHA-256 digest of a text in hexadecimal digits.
 * @param text - hashed as UTF-8
 */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
