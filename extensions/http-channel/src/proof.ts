import type { RequestBody } from "./request.js";
import type { HttpSettings } from "./settings.js";
import {
  isEqual,
  MAXIMUM_SKEW_S,
  SIGNATURE_HEADER,
  signatureOf,
  TIMESTAMP_HEADER,
  UNTIMED_HEADER,
  untimedSignatureOf,
} from "./signature.js";

/** Proof that the sender of a request knows the secret of an account. */
export interface Proof {
  /** Reason for which the request is not accepted although the secret is right. */
  readonly problem?: string;
  /** Key that a replay of the request has, too; absent for a request that is not signed with a time. */
  readonly replayKey?: string;
}

/**
 * Checks that the sender of a request knows the secret of an account (CHAN-024).
 * @param body - body of the request
 * @param headers - its headers
 * @param settings - settings of the account
 * @param now - milliseconds since the epoch
 * @returns undefined for a request with another secret, or with none
 */
export function proofOf(
  body: RequestBody,
  headers: Headers,
  settings: Pick<HttpSettings, "webhookSecret" | "acceptsUntimed">,
  now: number,
): Proof | undefined {
  const { webhookSecret: secret, acceptsUntimed } = settings;
  const signature = headers.get(SIGNATURE_HEADER)?.trim();
  if (signature !== undefined) {
    const timestamp = headers.get(TIMESTAMP_HEADER)?.trim() ?? "";
    if (!/^\d{1,12}$/.test(timestamp)) return undefined;
    const id = headers.get("idempotency-key") ?? undefined;
    const expected = signatureOf(secret, body.bytes, { timestamp, id });
    if (!isEqual(signature.toLowerCase(), expected)) return undefined;
    // After the signature, so that only who knows the secret learns the time of the gateway.
    if (Math.abs(now / 1000 - Number(timestamp)) <= MAXIMUM_SKEW_S) {
      return { replayKey: `signature ${expected}` };
    }
    const problem = `the request was signed more than ${MAXIMUM_SKEW_S} seconds from the gateway's time; sign it when it is sent, and check both clocks`;
    return { problem };
  }
  const untimed = headers.get(UNTIMED_HEADER)?.trim();
  if (untimed !== undefined) {
    if (!isEqual(untimed, untimedSignatureOf(secret, body.bytes))) return undefined;
    if (acceptsUntimed) return {};
    return {
      problem:
        "X-Signature has no time, so anyone who sees the request can send it again; send X-OpenClaw-Timestamp and X-OpenClaw-Signature, or set channels.http.acceptUntimedSignatures",
    };
  }
  const { fields } = body;
  return typeof fields?.secret === "string" && isEqual(fields.secret, secret) ? {} : undefined;
}
