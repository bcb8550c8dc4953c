import type { ApprovalDelivery } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { FindSurface } from "../delivery/recovered-caller.js";
import { messageContext } from "../messages/context.js";
import type { Approver, ApproverPresence } from "./approver-presence.js";
import type { ApprovalCards } from "./cards.js";
import { type ApprovalTarget, deliveryRule } from "./delivery-rule.js";

/** Dependencies of {@link ApprovalTargets}. */
export interface ApprovalTargetsDependencies {
  readonly presence: Pick<ApproverPresence, "attend">;
  readonly cards: Pick<ApprovalCards, "show">;
  readonly findSurface: FindSurface;
  /** Returns the section `approvals.delivery`. */
  delivery(): ApprovalDelivery | undefined;
}

/**
 * Sends approval requests to the conversations that the configuration names (APPR-024). A conversation counts as an
 * approver while its channel runs.
 */
export class ApprovalTargets {
  readonly #dependencies: ApprovalTargetsDependencies;
  /** Functions that remove the approvers, by target. */
  readonly #attending = new Map<string, () => void>();

  /** @param dependencies - approver presence, messages of requests, channels and configuration */
  constructor(dependencies: ApprovalTargetsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Adds the conversations of the configuration as approvers, and removes those that it no longer names. */
  attend(): void {
    const targets = new Map<string, ApprovalTarget>();
    for (const { targets: named = [] } of Object.values(this.#dependencies.delivery() ?? {})) {
      for (const target of named) targets.set(keyOf(target), target);
    }
    for (const [key, end] of this.#attending) {
      if (targets.has(key)) continue;
      this.#attending.delete(key);
      end();
    }
    for (const [key, target] of targets) {
      if (this.#attending.has(key)) continue;
      this.#attending.set(key, this.#dependencies.presence.attend(this.#approverAt(target)));
    }
  }

  #approverAt(target: ApprovalTarget): Approver {
    const { cards, findSurface, delivery } = this.#dependencies;
    const { channel, to } = target;
    const key = keyOf(target);
    return {
      channel,
      target: key,
      accepts: (origin) =>
        deliveryRule(delivery(), origin).targets.some((each) => keyOf(each) === key),
      isReachable: () => findSurface(target) !== undefined,
      async show(approval) {
        const surface = findSurface(target);
        if (approval.state !== "pending" || surface === undefined) return false;
        const { senderId } = approval.requester;
        const { accountId, threadId } = target;
        const place = { channel, conversationId: to, ...defined({ accountId, threadId }) };
        const context = messageContext({ ...place, senderId, senderIsOwner: false }, approval.id);
        return await cards.show(approval, { target, surface, context });
      },
    };
  }
}

function keyOf({ channel, to, accountId = "default", threadId }: ApprovalTarget): string {
  return JSON.stringify([channel, to, accountId, threadId]);
}
