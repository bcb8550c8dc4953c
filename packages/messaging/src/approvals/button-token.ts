import { createHmac, timingSafeEqual } from "node:crypto";
import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { Approval } from "@openclaw/store/decisions";

/** Decisions by the byte that represents them; never reordered, because buttons outlive the process. */
const DECISIONS: readonly ApprovalDecision[] = ["allow-once", "allow-always", "deny"];
const ID = /^apr_([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/;
/** A decision, an expiry and a UUID. */
const HEAD_BYTES = 1 + 6 + 16;
/** 128 bits of the HMAC: platforms allow 64 bytes for the value of a button. */
const PROOF_BYTES = 16;
const TEXT = /^\/apr\.([A-Za-z0-9_-]{52})$/;

/** Decision that a button makes, with the proof that this installation issued it. */
export interface ButtonToken {
  readonly approvalId: string;
  readonly decision: ApprovalDecision;
  /** Time after which it is rejected, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly proof: Uint8Array;
}

/** Request that a token belongs to. */
export type TokenSubject = Pick<Approval, "id" | "digest" | "expiresAt">;

/** Issues and verifies the values of approval buttons, which stay valid after a restart (APPR-033). */
export class ButtonTokens {
  readonly #key: () => Uint8Array;

  /** @param key - returns the key of the installation, of at least 32 bytes; called when it is first needed */
  constructor(key: () => Uint8Array) {
    this.#key = key;
  }

  /**
   * Returns the value of a button, of at most 64 bytes.
   * @param approval - the request
   * @param decision - decision that the button makes
   * @throws Error for a request whose ID is not a UUID
   */
  issue({ id, digest, expiresAt }: TokenSubject, decision: ApprovalDecision): string {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(DECISIONS.indexOf(decision), 0);
    head.writeUIntBE(expiresAt, 1, 6);
    const hex = ID.exec(id)?.slice(1).join("");
    if (hex === undefined) throw new Error(`approval request ${id} does not have a UUID as ID`);
    head.write(hex, 7, "hex");
    return `/apr.${Buffer.concat([head, this.#proofOf(head, digest)]).toString("base64url")}`;
  }

  /**
   * Returns true for a token that this installation issued for the request as it is stored.
   * @param token - token that a person sent
   * @param digest - digest of the stored request
   */
  verify({ approvalId, decision, expiresAt, proof }: ButtonToken, digest: string): boolean {
    const text = this.issue({ id: approvalId, digest, expiresAt }, decision);
    const expected = readButtonToken(text)?.proof;
    return expected !== undefined && timingSafeEqual(expected, proof);
  }

  #proofOf(head: Uint8Array, digest: string): Buffer {
    const mac = createHmac("sha256", this.#key()).update(head).update(digest).digest();
    return mac.subarray(0, PROOF_BYTES);
  }
}

/**
 * Reads the value of an approval button; nothing of it is verified.
 * @param text - text of a message
 * @returns undefined for any other text
 */
export function readButtonToken(text: string): ButtonToken | undefined {
  const [, encoded] = TEXT.exec(text) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, "base64url");
  const decision = DECISIONS[bytes.readUInt8(0)];
  if (decision === undefined) return undefined;
  const hex = bytes.toString("hex", 7, HEAD_BYTES);
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return {
    approvalId: `apr_${uuid}`,
    decision,
    expiresAt: bytes.readUIntBE(1, 6),
    proof: bytes.subarray(HEAD_BYTES),
  };
}
