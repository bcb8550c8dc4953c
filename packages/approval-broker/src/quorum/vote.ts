import { operatorName } from "@openclaw/foundation";
import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { Store } from "@openclaw/store";
import type { Approval, ApprovalQuorum } from "@openclaw/store/decisions";
import { type ApprovalActor, actorName, auditActor, isRequester } from "../actor.js";
import { auditedRow } from "../audit.js";
import { ApprovalVoteRefusedError } from "../errors.js";

/** Decision of a person. */
interface VotedDecision {
  readonly decision: ApprovalDecision;
  /** Way in which it arrived. */
  readonly via: string;
}

/** The person who holds the token of the gateway, whatever surface they use. */
const OPERATOR = "operator";

/** Vote that the transaction of an answer stored. */
export type CastVote =
  /** Enough people have allowed the request, or this one denied it: the answer settles it. */
  | "settles"
  /** More people must allow it. */
  | "waits"
  /** The person has voted before. */
  | "repeated";

/** Pending request that several people must allow. */
type VotedApproval = Approval & { readonly state: "pending"; readonly quorum: ApprovalQuorum };

/**
 * Returns true for a pending request that several people must allow.
 * @param approval - approval request
 */
export function needsVotes(approval: Approval): approval is VotedApproval {
  return approval.state === "pending" && approval.quorum !== undefined;
}

/**
 * Returns the reason why a person's vote to allow a request does not count; a denial always counts.
 * @param approval - request that needs several people
 * @param actor - the person
 * @param answer - decision of the person
 */
export function voteProblem(
  { code, quorum, requester }: Pick<Approval, "code" | "quorum" | "requester">,
  actor: ApprovalActor,
  { decision }: Pick<VotedDecision, "decision">,
): ApprovalVoteRefusedError | undefined {
  if (quorum === undefined || decision === "deny") return undefined;
  const { roles, notRequester = false } = quorum;
  const isOwnCall =
    isRequester(actor, requester) || personOf(actor) === personOf({ ...requester, isOwner: true });
  if (notRequester && isOwnCall) {
    return new ApprovalVoteRefusedError(
      code,
      `${actorName(actor)} caused the call, and its rule asks for other people`,
    );
  }
  if (roles === undefined || roles.includes(roleOf(actor))) return undefined;
  return new ApprovalVoteRefusedError(
    code,
    `its rule counts votes of the role ${roles.join(" or ")} only, and ${actorName(actor)} is ${roleOf(actor)}`,
  );
}

/**
 * Stores the vote of a person in the transaction of their answer. Writers of a database take turns, so of two votes at the
 * same time, on any nodes, the second one counts the first.
 * @param approval - pending request
 * @param answer - decision of the person
 * @param actor - the person
 */
export async function castVote(
  unit: Store,
  approval: VotedApproval,
  { decision, via }: VotedDecision,
  actor: ApprovalActor,
): Promise<CastVote> {
  const { votes, auditLog } = unit.decisions;
  const given = decision === "deny" ? "deny" : "allow";
  const vote = { person: personOf(actor), by: actorName(actor), via, decision: given } as const;
  if (!(await votes.add(approval.id, vote))) return "repeated";
  await auditLog.append({
    ...auditedRow(approval),
    ...{ event: "voted", decision, via, actor: auditActor(actor) },
  });
  if (given === "deny") return "settles";
  const allowed = (await votes.list(approval.id)).filter((each) => each.decision === "allow");
  return allowed.length >= approval.quorum.count ? "settles" : "waits";
}

/** Returns the error of a person who has voted already. */
export function repeatedVote({ code }: Approval, actor: ApprovalActor): ApprovalVoteRefusedError {
  return new ApprovalVoteRefusedError(code, `${actorName(actor)} has voted already`);
}

/** Returns the person behind an actor: the host cannot distinguish holders of the gateway's token. */
function personOf(actor: Pick<ApprovalActor, "channel" | "senderId" | "isOwner">): string {
  const name = `${actor.channel}:${actor.senderId}`;
  const isOperator = actor.isOwner && actor.senderId === OPERATOR;
  return isOperator || operatorName(name) !== undefined ? OPERATOR : name;
}

function roleOf({ isOwner }: ApprovalActor): "owner" | "approver" {
  return isOwner ? "owner" : "approver";
}
