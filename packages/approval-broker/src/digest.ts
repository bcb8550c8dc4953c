import { canonicalJson, sha256 } from "@openclaw/foundation";
import type { ApprovalRequester } from "@openclaw/store/decisions";

/** What an answer is bound to. */
export interface BoundCall {
  /** Null for a question outside a tool call, whose payload takes the place of params. */
  readonly tool: string | null;
  /** The true values, plain JSON. */
  readonly params: unknown;
  readonly sessionKey: string;
  readonly requester: ApprovalRequester;
}

/**
 * The digest of what an answer is bound to: SHA-256 over its canonical JSON, in hexadecimal (APPR-008).
 * @param call - tool, arguments, session and requester
 */
export function approvalDigest({ tool, params, sessionKey, requester }: BoundCall): string {
  const { channel, accountId, senderId } = requester;
  const bound = { v: 1, tool, params, sessionKey, requester: { channel, accountId, senderId } };
  return sha256(canonicalJson(bound));
}
