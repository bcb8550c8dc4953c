import { defined } from "@openclaw/foundation";
import type { Approval, AuditActor } from "@openclaw/store/decisions";
import type { ApprovalSettings } from "./settings.js";

/** Who answers a question, as the surface that took the answer knows them. */
export interface ApprovalActor {
  /** Surface, for example `terminal`, `http` or a chat channel. */
  readonly channel: string;
  readonly accountId?: string | undefined;
  readonly senderId: string;
  /** The operator: the local terminal, and the holder of the gateway's token. */
  readonly isOwner: boolean;
  /** A client with scope operator.approvals. */
  readonly mayApprove?: boolean | undefined;
  readonly clientId?: string | undefined;
}

/**
 * Whether somebody may answer a question: owners, named approvers and clients with the scope; who asked
 * for the call themselves only where the operator allows it (APPR-028).
 * @param actor - who answers
 * @param approval - the question
 * @param settings - the operator's
 */
export function mayAnswer(
  { channel, accountId = "default", senderId, isOwner, mayApprove = false }: ApprovalActor,
  { requester }: Pick<Approval, "requester">,
  { approvers = [], allowSelf = false }: Pick<ApprovalSettings, "approvers" | "allowSelf">,
): boolean {
  if (isOwner || mayApprove || approvers.includes(`${channel}:${senderId}`)) return true;
  const isRequester =
    requester.channel === channel &&
    requester.accountId === accountId &&
    requester.senderId === senderId;
  return isRequester && allowSelf;
}

/** How rows and messages name somebody. */
export function actorName({ channel, senderId }: ApprovalActor): string {
  return `${channel}:${senderId}`;
}

/** Somebody as the audit keeps them. */
export function auditActor({ channel, senderId, clientId }: ApprovalActor): AuditActor {
  return { channel, id: senderId, ...defined({ clientId }) };
}
