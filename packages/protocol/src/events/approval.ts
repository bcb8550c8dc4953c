import { defineEvent } from "../definition/event.js";
import { approvalSummary } from "../methods/approval-results.js";
import { APPROVAL_EVENT } from "./approval-name.js";

const scope = "operator.approvals";

/** Shows an approval request in a streamed completion. */
export const approvalEvent = defineEvent({
  name: APPROVAL_EVENT,
  summary:
    "Sent in a streamed completion for each approval request of the session and each change of its state, to a client with an approver.",
  payload: approvalSummary,
  scope,
  delivery: "droppable",
});

/** Events of approval requests, sent to every client with the scope (APPR-035). */
export const approvalEvents = {
  "approval.requested": defineEvent({
    name: "approval.requested",
    summary: "Sent when an approval is requested.",
    payload: approvalSummary,
    scope,
    delivery: "durable",
  }),
  "approval.updated": defineEvent({
    name: "approval.updated",
    summary:
      "Sent when a pending approval request changes without a decision, for example when it expires later.",
    payload: approvalSummary,
    scope,
    delivery: "durable",
  }),
  "approval.resolved": defineEvent({
    name: "approval.resolved",
    summary: "Sent when an approval request is approved, denied, expired or cancelled.",
    payload: approvalSummary,
    scope,
    delivery: "durable",
  }),
};
