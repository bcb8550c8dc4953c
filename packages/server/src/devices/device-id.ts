import { createHash } from "node:crypto";

/**
 * Returns the ID of a device: the fingerprint of its key.
 * @param publicKey - its public key in Base64url
 */
export function deviceIdOf(publicKey: string): string {
  return createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex");
}
