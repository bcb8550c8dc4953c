import { defined } from "@openclaw/foundation";
import { redactLogText } from "@openclaw/safety";
import type { Approval, NewAuditEntry } from "@openclaw/store/decisions";
import type { ApprovalRequest } from "./request.js";
import { boundWords } from "./words.js";

/** Fields of an audit log entry that identify a call or an approval request, without the event. */
export type AuditedFacts = Omit<NewAuditEntry, "event">;

/** Maximum number of characters of a reason in the audit log. */
const REASON_LENGTH = 512;

/**
 * Returns a reason as the audit log keeps it: without secrets, on one line, of bounded length (SAFE-056).
 * Reasons may come from plugins.
 * @param reason - any text
 */
export function auditedReason(reason: string): string {
  return boundWords(redactLogText(reason), REASON_LENGTH);
}

/**
 * Returns the fields of an audit log entry for a call without a stored approval request.
 * @param request - approval request of the call
 * @param digest - digest of the call
 */
export function auditedCall(
  { runId, sessionKey, toolCallId, toolName, decisionId }: ApprovalRequest,
  digest: string,
): AuditedFacts {
  return {
    runId,
    sessionKey,
    toolCallId,
    tool: toolName,
    digest,
    ...defined({ decisionId }),
  };
}

/**
 * Returns the fields of an audit log entry for a stored approval request.
 * @param approval - stored row
 */
export function auditedRow({
  id,
  runId,
  sessionKey,
  toolCallId,
  tool,
  digest,
}: Approval): AuditedFacts {
  return {
    approvalId: id,
    sessionKey,
    digest,
    ...defined({ runId, toolCallId, tool }),
  };
}
