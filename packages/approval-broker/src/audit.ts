import { defined } from "@openclaw/foundation";
import type { Approval, NewAuditEntry } from "@openclaw/store/decisions";
import type { ApprovalRequest } from "./request.js";

/** Fields of an audit log entry that identify a call or an approval request, without the event. */
export type AuditedFacts = Omit<NewAuditEntry, "event">;

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
