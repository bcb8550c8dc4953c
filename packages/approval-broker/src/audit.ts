import { defined } from "@openclaw/foundation";
import type { Approval, NewAuditEntry } from "@openclaw/store/decisions";
import type { ApprovalRequest } from "./request.js";

/** What every row of the audit says of a call or a question, beside what happened. */
export type AuditedFacts = Omit<NewAuditEntry, "event">;

/**
 * What the audit says of a call for which no question is stored.
 * @param request - about the call
 * @param digest - of the call
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
 * What the audit says of a stored question.
 * @param approval - its row
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
