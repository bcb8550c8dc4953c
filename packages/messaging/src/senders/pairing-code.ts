import { randomInt } from "node:crypto";

/** Rules of pairing codes (HOST-021). */
export const PAIRING = {
  codeLength: 8,
  /** Letters and digits that are not mistaken for each other. */
  alphabet: "ABCDEFGHJKLMNPQRSTUVWXYZ23456789",
  pendingMs: 15 * 60_000,
  maxPendingPerChannel: 3,
  maxFailures: 10,
  failureWindowMs: 5 * 60_000,
} as const;

/** Returns a new code. */
export function pairingCode(): string {
  const { alphabet, codeLength } = PAIRING;
  return Array.from({ length: codeLength }, () => alphabet.charAt(randomInt(alphabet.length))).join(
    "",
  );
}
