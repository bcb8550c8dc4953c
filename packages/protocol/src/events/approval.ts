import { defineEvent } from "../definition/event.js";
import { approvalSummary } from "../methods/approval-results.js";

/** Shows an approval request in a streamed reply. */
export const approvalEvent = defineEvent({
  name: "approval",
  summary:
    "Sent in a streamed reply for each approval request of the session and each change of its state, to a client with an approver.",
  payload: approvalSummary,
  scope: "operator.approvals",
});
