import { canonicalJson, sha256 } from "@openclaw/foundation";
import type { ApprovalRequester } from "@openclaw/store/decisions";

/** Fields of a call that a decision is bound to. */
export interface BoundCall {
  /** Null for a request outside a tool call; `params` is then its payload. */
  readonly tool: string | null;
  /** True values, as plain JSON. */
  readonly params: unknown;
  readonly sessionKey: string;
  readonly requester: ApprovalRequester;
}

/**
 * Returns the digest that binds a decision to a call: SHA-256 of its canonical JSON, in hexadecimal
 * (APPR-008).
 * @param call - tool, arguments, session and requester
 */
export function approvalDigest({ tool, params, sessionKey, requester }: BoundCall): string {
  const { channel, accountId, senderId } = requester;
  const bound = { v: 1, tool, params, sessionKey, requester: { channel, accountId, senderId } };
  return sha256(canonicalJson(bound));
}
