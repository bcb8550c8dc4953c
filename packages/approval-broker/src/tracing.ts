import { tracingChannel } from "node:diagnostics_channel";
import type { Approval } from "@openclaw/store/decisions";

/** Message of the tracing channel `openclaw:approval`: IDs, and the decision at the end (GW-049). */
export interface ApprovalMessage {
  readonly approvalId: string;
  readonly sessionKey: string;
  /** Absent for a request of a plugin. */
  readonly runId: string | undefined;
  /** State that the decision led to; set at the end. */
  outcome?: string;
  durationMs?: number;
}

const channels = tracingChannel<unknown, ApprovalMessage>("openclaw:approval");

/**
 * Publishes the request of an approval.
 * @param approval - new request
 */
export function traceRequested(approval: Approval): void {
  if (channels.start.hasSubscribers) channels.start.publish(messageOf(approval));
}

/**
 * Publishes the decision of an approval, also of one that an earlier process requested.
 * @param approval - settled request
 */
export function traceDecided(approval: Approval): void {
  if (!channels.asyncEnd.hasSubscribers) return;
  const durationMs = (approval.decidedAt ?? approval.createdAt) - approval.createdAt;
  channels.asyncEnd.publish({ ...messageOf(approval), outcome: approval.state, durationMs });
}

function messageOf({ id, sessionKey, runId }: Approval): ApprovalMessage {
  return { approvalId: id, sessionKey, runId };
}
