import type { ApprovalDelivery } from "@openclaw/approval-broker";
import { jsonCopy } from "@openclaw/foundation";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { ApprovalSummary } from "@openclaw/protocol";
import { type ReplyAddress, replyTarget } from "../delivery/target.js";
import type { Caller, RequestStatus } from "../messages/inbound.js";
import type { ApproverPresence } from "./approver-presence.js";
import type { ApprovalCards } from "./cards.js";
import { deliveryRule } from "./delivery-rule.js";

/** Dependencies of {@link ApprovalRequestDelivery}. */
export interface ApprovalRequestDeliveryDependencies {
  readonly presence: Pick<ApproverPresence, "attend">;
  readonly cards: Pick<ApprovalCards, "show">;
  /** Returns the section `approvals.delivery`. */
  delivery(): ApprovalDelivery | undefined;
}

/** Conversation with a message whose reply is awaited. */
export interface WaitingConversation {
  /** Receiver of the reply. */
  readonly caller: Pick<Caller, "onApproval" | "onRequest" | "surface">;
  readonly sessionKey: string;
  /** Conversation of the message. */
  readonly address: ReplyAddress;
  /** ID of the message in the inbox. */
  readonly inboxId: string;
  /** Context of its hooks. */
  readonly context: MessageContext;
}

/** Shows the approval requests of conversations to the callers that wait for replies in them. */
export class ApprovalRequestDelivery {
  readonly #dependencies: ApprovalRequestDeliveryDependencies;

  /** @param dependencies - approver presence, messages of requests and configuration */
  constructor(dependencies: ApprovalRequestDeliveryDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Registers the caller of a message as an approver of its session. Requests are shown on the caller's
   * screen, or sent as messages to its surface.
   * @param conversation - message with its caller
   * @returns handle whose `end` removes the approver
   */
  attend({ caller, sessionKey, address, inboxId, context }: WaitingConversation): { end(): void } {
    const { presence, cards } = this.#dependencies;
    const { onApproval, surface } = caller;
    const { channel } = address;
    if (onApproval !== undefined) {
      return { end: presence.attend({ channel, sessionKey, show: onApproval }) };
    }
    if (surface === undefined) return { end: () => undefined };
    const place = { target: replyTarget(address), surface, context, inboxId };
    const end = presence.attend({
      channel,
      sessionKey,
      accepts: (origin) => deliveryRule(this.#dependencies.delivery(), origin).toSession,
      // The messages of a request follow its changes by themselves.
      show: async (approval) => {
        if (approval.state !== "pending" || !(await cards.show(approval, place))) return false;
        caller.onRequest?.(approvalStatus(approval));
        return true;
      },
    });
    return { end };
  }
}

/** Returns a request in the form for channels; its parameters have their secrets masked. */
function approvalStatus({ id, tool, title, description, params }: ApprovalSummary): RequestStatus {
  return {
    kind: "approval_needed",
    requestId: id,
    // A request outside a tool call has only its title.
    tool: tool ?? title,
    description: description === "" ? title : description,
    parameters: jsonCopy(params) ?? null,
  };
}
