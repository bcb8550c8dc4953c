import type { ApprovalSummary } from "@openclaw/protocol";

/**
 * Returns a sentence about a request that a person has allowed, and that waits for other people.
 * @param approval - request after the decision of the person
 * @returns undefined for a request that is settled
 */
export function missingVotes({
  state,
  code,
  quorum,
}: Pick<ApprovalSummary, "state" | "code"> & {
  readonly quorum?: Pick<NonNullable<ApprovalSummary["quorum"]>, "count" | "allowed"> | undefined;
}): string | undefined {
  if (state !== "pending" || quorum === undefined) return undefined;
  return `${quorum.allowed} of ${quorum.count} people have allowed ${code}; it waits for the others`;
}
