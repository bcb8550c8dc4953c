import { logRejection } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventPublisher } from "@openclaw/protocol";
import type { Approval } from "@openclaw/store/decisions";
import { type ApprovalKnowledge, summarizeApproval } from "./summary.js";

/**
 * Publishes approval requests, their changes and their decisions to clients (APPR-035).
 * @param broker - notifies of new, changed and settled requests, and knows how allowed commands run
 * @param events - sends events to the clients
 * @param logger - receives failures
 * @returns function that stops publishing
 */
export function publishApprovals(
  broker: Pick<ApprovalBroker, "onRequested" | "onUpdated" | "onDecided"> & ApprovalKnowledge,
  events: EventPublisher,
  logger: Logger,
): () => void {
  const publish =
    (name: "approval.requested" | "approval.updated" | "approval.resolved") =>
    (approval: Approval): void => {
      const published = summarizeApproval(approval, broker).then((summary) =>
        events.publish(name, summary),
      );
      logRejection(published, logger);
    };
  const stop = [
    broker.onRequested(publish("approval.requested")),
    broker.onUpdated(publish("approval.updated")),
    broker.onDecided(publish("approval.resolved")),
  ];
  return () => {
    for (const each of stop) each();
  };
}
