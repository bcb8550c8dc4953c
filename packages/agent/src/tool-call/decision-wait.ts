import { type ApprovalBroker, requestDecision } from "@openclaw/approval-broker";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Approval, ApprovalOwner } from "@openclaw/store/decisions";
import type { TurnRequest } from "../context/request.js";

/** Dependencies of {@link waitForDecision}. */
export interface DecisionDependencies {
  readonly approvals: Pick<ApprovalBroker, "settled" | "cancelFor" | "onDecided" | "decide">;
  readonly logger: Logger;
}

/**
 * Waits until the approval request of a call outside the loop of a model is decided. Nothing resumes such a call later, so
 * an interrupt cancels requests, and the call is then answered as interrupted.
 * @param approval - pending request of the call
 * @param request - request of the call
 * @param dependencies - broker and log
 * @param cancelled - requests that an interrupt cancels
 */
export async function waitForDecision(
  approval: Approval,
  { approver, signal }: Pick<TurnRequest, "approver" | "signal">,
  { approvals, logger }: DecisionDependencies,
  cancelled: ApprovalOwner,
): Promise<void> {
  try {
    if (approver === undefined) await approvals.settled(approval.id, signal);
    else await requestDecision(approval, approver, approvals, signal, logger);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) await approvals.cancelFor(cancelled, "interrupt");
}
