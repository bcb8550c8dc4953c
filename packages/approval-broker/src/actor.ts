import { defined } from "@openclaw/foundation";
import type { Approval, ApprovalRequester, AuditActor } from "@openclaw/store/decisions";
import type { ApprovalSettings } from "./settings.js";

/**
 * Person who decides about an approval request, as the surface that received the decision
 * identifies them.
 */
export interface ApprovalActor {
  /** Surface, for example `terminal`, `http` or a chat channel. */
  readonly channel: string;
  readonly accountId?: string | undefined;
  readonly senderId: string;
  /** True for the operator: the local terminal, or the holder of the gateway's token. */
  readonly isOwner: boolean;
  /** True for a client with scope operator.approvals. */
  readonly mayApprove?: boolean | undefined;
  readonly clientId?: string | undefined;
}

/**
 * Returns whether an actor may decide about an approval request: owners, named approvers and
 * clients with the scope. The requester of the call may decide only where the operator allows it
 * (APPR-028), and always gives the input that their call asks for (EXT-361).
 * @param actor - person who decides
 * @param approval - approval request
 * @param settings - settings of the operator
 */
export function mayAnswer(
  actor: ApprovalActor,
  { requester, input }: Pick<Approval, "requester" | "input">,
  { approvers = [], allowSelf = false }: Pick<ApprovalSettings, "approvers" | "allowSelf">,
): boolean {
  const { channel, senderId, isOwner, mayApprove = false } = actor;
  if (isOwner || mayApprove || approvers.includes(`${channel}:${senderId}`)) return true;
  // Input is not a permission: whom the tool asks may give it.
  return isRequester(actor, requester) && (allowSelf || input !== undefined);
}

/**
 * Returns whether an actor is the person whose message caused a call.
 * @param actor - person who decides
 * @param requester - author of the message
 */
export function isRequester(
  { channel, accountId = "default", senderId }: ApprovalActor,
  requester: ApprovalRequester,
): boolean {
  return (
    requester.channel === channel &&
    requester.accountId === accountId &&
    requester.senderId === senderId
  );
}

/** Returns the name of an actor in stored rows and messages. */
export function actorName({ channel, senderId }: ApprovalActor): string {
  return `${channel}:${senderId}`;
}

/** Returns an actor as the audit log records it. */
export function auditActor({ channel, senderId, clientId }: ApprovalActor): AuditActor {
  return { channel, id: senderId, ...defined({ clientId }) };
}
