import type { Store } from "@openclaw/store";
import { auditedRow } from "./audit.js";
import { ApprovalMismatchError } from "./errors.js";
import { mismatchOf } from "./verdict.js";

/** Decision under which a call is about to run. */
export interface GivenApproval {
  readonly id: string;
  /** Digest of the call that is about to run, computed again. */
  readonly digest: string;
}

/**
 * Starts the single execution that a decision allows, in one transaction with the record of its start.
 * @param given - decision, and digest of the call about to run
 * @param store - store of the decisions
 * @param alongside - journals the intent
 * @throws ApprovalMismatchError when the decision does not allow the call, was already used, or is bound to another call
 */
export async function beginExecution(
  { id, digest }: GivenApproval,
  store: Store,
  alongside: (unit: Store) => Promise<void>,
): Promise<void> {
  const begun = await store.transaction(async (unit) => {
    const approval = await unit.decisions.approvals.consume({ id, digest });
    if (approval === undefined) return false;
    await unit.decisions.auditLog.append({ ...auditedRow(approval), event: "consumed" });
    await alongside(unit);
    return true;
  });
  if (begun) return;
  const approval = await store.decisions.approvals.get(id);
  const problem = mismatchOf(approval, digest);
  await store.decisions.auditLog.append({
    ...(approval === undefined ? { approvalId: id } : auditedRow(approval)),
    event: "refused",
    digest,
    reason: `APPROVAL_MISMATCH: ${problem}`,
  });
  throw new ApprovalMismatchError(approval?.code ?? id, problem);
}
