import type { ApprovalDelivery } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { FindSurface } from "../delivery/recovered-caller.js";
import { messageContext } from "../messages/context.js";
import type { ApproverPresence } from "./approver-presence.js";
import type { ApprovalCards } from "./cards.js";
import { type ApprovalOrigin, type ApprovalTarget, deliveryRule } from "./delivery-rule.js";

/** Dependencies of {@link attendTargets}. */
export interface ApprovalTargetsDependencies {
  readonly presence: Pick<ApproverPresence, "attend">;
  readonly cards: Pick<ApprovalCards, "show">;
  readonly findSurface: FindSurface;
  /** The section `approvals.delivery`. */
  readonly delivery: ApprovalDelivery | undefined;
}

/**
 * Sends approval requests to the conversations that the configuration names (APPR-024). A conversation counts as an
 * approver while its channel runs.
 * @param dependencies - approver presence, messages of requests, channels and configuration
 */
export function attendTargets({
  presence,
  cards,
  findSurface,
  delivery = {},
}: ApprovalTargetsDependencies): void {
  const targets = new Map<string, ApprovalTarget>();
  for (const { targets: named = [] } of Object.values(delivery)) {
    for (const target of named) targets.set(keyOf(target), target);
  }
  for (const [key, target] of targets) {
    const { channel, to } = target;
    presence.attend({
      channel,
      accepts(origin: ApprovalOrigin) {
        const rule = deliveryRule(delivery, origin);
        return (
          rule.targets.some((each) => keyOf(each) === key) && findSurface(target) !== undefined
        );
      },
      async show(approval) {
        const surface = findSurface(target);
        if (approval.state !== "pending" || surface === undefined) return false;
        const { senderId } = approval.requester;
        const { accountId, threadId } = target;
        const place = { channel, conversationId: to, ...defined({ accountId, threadId }) };
        const context = messageContext({ ...place, senderId, senderIsOwner: false }, approval.id);
        return await cards.show(approval, { target, surface, context });
      },
    });
  }
}

function keyOf({ channel, to, accountId = "default", threadId }: ApprovalTarget): string {
  return JSON.stringify([channel, to, accountId, threadId]);
}
