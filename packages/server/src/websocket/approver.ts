import type { Approver } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { SentEvent } from "../events/event-log.js";

/** Connection whose user decides approval requests. */
export interface ConnectionApprover {
  /**
   * Returns true for the event of a request that the connection has received already.
   * @param event - event of the host
   */
  skips(event: SentEvent): boolean;
  /** Ends the presence of the approver. */
  end(): void;
}

/** Adds approvers that decide over a connection. */
export interface ConnectionApprovers {
  /**
   * Adds an approver, and sends the pending requests.
   * @param send - sends an event to the connection
   */
  attend(send: (event: SentEvent) => void): ConnectionApprover;
}

/**
 * Creates the approvers of connections. Every request reaches them as an event of the host; requests that were
 * pending when they connected are sent in addition.
 * @param attend - adds an approver to the host, and returns a function that removes it
 */
export function connectionApprovers(
  attend: (approver: Approver) => () => void,
): ConnectionApprovers {
  return {
    attend(send) {
      /** Pending requests that the connection has received. */
      const shown = new Set<string>();
      const end = attend({
        channel: "websocket",
        show(approval) {
          if (approval.state === "pending" && !shown.has(approval.id)) {
            shown.add(approval.id);
            send(requestedEvent(approval));
          }
        },
      });
      return {
        end,
        skips({ name, json }) {
          if (name !== "approval.requested" && name !== "approval.resolved") return false;
          const { id } = JSON.parse(json) as ApprovalSummary;
          if (name === "approval.resolved") shown.delete(id);
          else if (shown.has(id)) return true;
          else shown.add(id);
          return false;
        },
      };
    },
  };
}

function requestedEvent(approval: ApprovalSummary): SentEvent {
  return {
    name: "approval.requested",
    json: JSON.stringify(approval),
    scope: "operator.approvals",
    delivery: "droppable",
  };
}
