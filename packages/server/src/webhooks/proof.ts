import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { WebhookUnauthorizedError } from "./errors.js";

/** Maximum difference of a request's timestamp from the clock of the host, in seconds (GW-041). */
const MAXIMUM_SKEW_S = 300;

/** Secret of a webhook, and how requests prove that they have it. */
export interface WebhookSecret {
  readonly type: "signature" | "token";
  readonly value: string;
}

/** Parts of a request that prove its sender. */
export interface WebhookRequest {
  readonly name: string;
  readonly body: Uint8Array;
  /**
   * Returns a header.
   * @param name - in lower case
   */
  header(name: string): string | undefined;
}

/**
 * Checks that a request comes from the holder of a secret (GW-041). A signed request has `X-OpenClaw-Timestamp`, in
 * seconds since the epoch, and `X-OpenClaw-Signature: sha256=<hex>`, the HMAC-SHA256 of `<timestamp>.<body>`.
 * @param request - headers and unchanged body
 * @param secret - secret of the webhook
 * @param now - milliseconds since the epoch
 * @returns key that a repeat of a signed request has too; undefined for a request with a token
 * @throws WebhookUnauthorizedError
 */
export function checkProof(
  request: WebhookRequest,
  { type, value }: WebhookSecret,
  now: number,
): string | undefined {
  const { name } = request;
  if (type === "token") {
    const [, presented] = /^Bearer ([^\s]+)$/i.exec(request.header("authorization") ?? "") ?? [];
    if (presented !== undefined && isEqual(presented, value)) return undefined;
    const problem = "has no or a wrong token; send `Authorization: Bearer <token>`";
    throw new WebhookUnauthorizedError(name, problem);
  }
  const timestamp = /^\d{1,12}$/.exec(request.header("x-openclaw-timestamp") ?? "")?.[0];
  const signature = /^sha256=([0-9a-f]{64})$/i.exec(request.header("x-openclaw-signature") ?? "");
  const [, presented] = signature ?? [];
  if (timestamp === undefined || presented === undefined) {
    throw new WebhookUnauthorizedError(
      name,
      "is not signed; send X-OpenClaw-Timestamp with the seconds since 1970, and X-OpenClaw-Signature with sha256=<hex>, the HMAC-SHA256 of `<timestamp>.<body>`",
    );
  }
  const expected = createHmac("sha256", value).update(`${timestamp}.`).update(request.body);
  const key = presented.toLowerCase();
  if (!isEqual(key, expected.digest("hex"))) {
    const problem =
      "has a wrong signature; sign `<timestamp>.<body>` with the secret, and send the same bytes";
    throw new WebhookUnauthorizedError(name, problem);
  }
  // After the signature, so that the clock is shown only to the holder of the secret.
  if (Math.abs(now / 1000 - Number(timestamp)) > MAXIMUM_SKEW_S) {
    const problem = `was signed more than ${MAXIMUM_SKEW_S} seconds from the gateway's time; sign it when it is sent, and check both clocks`;
    throw new WebhookUnauthorizedError(name, problem);
  }
  return key;
}

/** Compares in constant time; the hashes have the same length whatever a client sends. */
function isEqual(presented: string, expected: string): boolean {
  return timingSafeEqual(hashOf(presented), hashOf(expected));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
