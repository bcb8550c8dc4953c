import type { Approval, NewAuditEntry } from "@openclaw/store/decisions";
import type { ApprovalQuestion } from "./request.js";

/** What every row of the audit says of a call or a question, beside what happened. */
export type AuditedFacts = Omit<NewAuditEntry, "event">;

/**
 * What the audit says of a call for which no question is stored.
 * @param question - about the call
 * @param digest - of the call
 */
export function auditedCall(
  { runId, sessionKey, toolCallId, toolName, decisionId }: ApprovalQuestion,
  digest: string,
): AuditedFacts {
  return {
    runId,
    sessionKey,
    toolCallId,
    tool: toolName,
    digest,
    ...(decisionId === undefined ? {} : { decisionId }),
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
    ...(runId === undefined ? {} : { runId }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(tool === undefined ? {} : { tool }),
  };
}
