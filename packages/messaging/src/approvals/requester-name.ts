/** Requesters that have no name, by channel and sender. */
const OPERATORS: Readonly<Record<string, string>> = {
  "terminal operator": "the operator, at the terminal of the gateway",
  "api api": "the operator, from a connected terminal or program",
};

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
  const operator = `${channel} ${senderId}`;
  return Object.hasOwn(OPERATORS, operator)
    ? (OPERATORS[operator] ?? senderId)
    : `${senderId} (${channel})`;
}

/**
 * Returns who decided an approval request for display: the operator in plain words, others as they are recorded.
 * @param decidedBy - channel and sender, for example `telegram:4711`, or another name
 */
export function deciderName(decidedBy: string): string {
  const operator = decidedBy.replace(":", " ");
  return Object.hasOwn(OPERATORS, operator) ? (OPERATORS[operator] ?? decidedBy) : decidedBy;
}
