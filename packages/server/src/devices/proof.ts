import { createHash, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { type DeviceProof, deviceStatement } from "@openclaw/protocol/device";
import type { Challenge } from "./challenges.js";
import type { DeviceProofProblem } from "./errors.js";

/** Values that a proof must match. */
export interface ProofExpectation {
  /** Challenge of the connection; undefined when it has none. */
  readonly challenge: Challenge | undefined;
  /** Header `Host` of the connection's request. */
  readonly host: string;
  /** Present time of the monotonic clock, in milliseconds. */
  readonly now: number;
}

/**
 * Checks that a device has its key.
 * @param proof - key, challenge and signature from the client
 * @param expected - challenge and host of its connection
 * @returns the problem; undefined for a valid proof
 */
export function proofProblem(
  { publicKey, challenge: answered, signature }: DeviceProof,
  { challenge, host, now }: ProofExpectation,
): DeviceProofProblem | undefined {
  if (challenge === undefined) return "no-challenge";
  if (now >= challenge.expiresAt) return "expired-challenge";
  if (!isSame(answered, challenge.value)) return "other-challenge";
  if (!isSame(publicKey, challenge.publicKey)) return "other-key";
  const statement = deviceStatement({ host: plainHost(host), publicKey, challenge: answered });
  return isSigned(statement, publicKey, signature) ? undefined : "wrong-signature";
}

function isSigned(statement: string, publicKey: string, signature: string): boolean {
  const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey };
  try {
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(null, Buffer.from(statement), key, Buffer.from(signature, "base64url"));
  } catch {
    // The 32 bytes are not a key, so that nothing can be signed with it.
    return false;
  }
}

/** Returns a host as URLs have it: in lower case, and without a default port. */
function plainHost(host: string): string {
  return host.toLowerCase().replace(/:(?:80|443)$/, "");
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
