import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Maximum difference between the time of a signature and the clock of the gateway, in seconds. */
export const MAXIMUM_SKEW_S = 300;

/** Header with the seconds since the epoch at which a request was signed. */
export const TIMESTAMP_HEADER = "x-openclaw-timestamp";
/** Header with the signature of time, ID and body. */
export const SIGNATURE_HEADER = "x-openclaw-signature";
/** Header with a signature of the body alone, which can be replayed. */
export const UNTIMED_HEADER = "x-signature";

/** Time and ID of a request, which its signature covers with the body. */
export interface SignedParts {
  /** Seconds since the epoch, as they are written in the header. */
  readonly timestamp: string;
  /** Value of `Idempotency-Key`; absent for a request without one. */
  readonly id: string | undefined;
}

/**
 * Returns the value of `X-OpenClaw-Signature`: the HMAC-SHA256 of `<timestamp>.<body>`, or of `<timestamp>.<id>.<body>`
 * for a request with an ID. The parts are those of the webhooks of the gateway.
 * @param secret - secret of the account
 * @param body - body as it is sent
 * @param parts - time and ID of the request
 */
export function signatureOf(
  secret: string,
  body: string | Uint8Array,
  { timestamp, id }: SignedParts,
): string {
  const hmac = createHmac("sha256", secret).update(`${timestamp}.`);
  if (id !== undefined) hmac.update(`${id}.`);
  return `sha256=${hmac.update(body).digest("hex")}`;
}

/**
 * Returns the value of `X-Signature`: the HMAC-SHA256 of the body alone.
 * @param secret - secret of the account
 * @param body - body as it is sent
 */
export function untimedSignatureOf(secret: string, body: string | Uint8Array): string {
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
