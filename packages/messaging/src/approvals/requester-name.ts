import { operatorName } from "@openclaw/foundation";

/**
 * Returns the requester of an approval for display: the operator in plain words, other senders with their channel.
 * @param requester - channel and sender
 */
export function requesterName({
  channel,
  senderId,
}: {
  readonly channel: string;
  readonly senderId: string;
}): string {
  return operatorName(`${channel}:${senderId}`) ?? `${senderId} (${channel})`;
}

/**
 * Returns who decided an approval request for display: the operator in plain words, others as they are recorded.
 * @param decidedBy - channel and sender, for example `telegram:4711`, or another name
 */
export function deciderName(decidedBy: string): string {
  return operatorName(decidedBy) ?? decidedBy;
}
