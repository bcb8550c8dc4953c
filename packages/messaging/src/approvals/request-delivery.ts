import type { ApprovalSummary } from "@openclaw/protocol";
import type { Store } from "@openclaw/store";
import type { ReplyDelivery } from "../delivery/reply.js";
import { replyTarget } from "../delivery/target.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { ApproverPresence } from "./approver-presence.js";
import { approvalButtons, approvalText, keepApprovalCode, settledText } from "./request.js";

/** Dependencies of {@link ApprovalRequestDelivery}. */
export interface ApprovalRequestDeliveryDependencies {
  readonly presence: Pick<ApproverPresence, "attend">;
  readonly store: Pick<Store, "messages">;
  readonly replies: Pick<ReplyDelivery, "deliverChunk">;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Shows the approval requests of conversations to the callers that wait for replies in them. */
export class ApprovalRequestDelivery {
  readonly #dependencies: ApprovalRequestDeliveryDependencies;

  /** @param dependencies - approver presence, outbox, delivery and clock */
  constructor(dependencies: ApprovalRequestDeliveryDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Registers the caller of a message as an approver of its session. Requests are shown on the caller's
   * screen, or sent as messages to its surface.
   * @param routed - message with its caller
   * @returns handle whose `end` removes the approver
   */
  attend(routed: RoutedMessage): { end(): void } {
    const { caller, route, admitted } = routed;
    const { onApproval, surface } = caller;
    if (onApproval === undefined && surface === undefined) return { end: () => undefined };
    const end = this.#dependencies.presence.attend({
      channel: admitted.channel,
      sessionKey: route.sessionKey,
      show: (approval) =>
        onApproval === undefined ? this.#deliver(approval, routed) : onApproval(approval),
    });
    return { end };
  }

  /** Shows the decision in the message of the request, where the surface can change messages (APPR-029). */
  async #update(approval: ApprovalSummary, { surface }: RoutedMessage["caller"]): Promise<void> {
    const { outbox } = this.#dependencies.store.messages;
    const sent = await outbox.ofRun(approval.id);
    if (surface?.edit === undefined || sent?.messageId === undefined) return;
    await surface.edit(sent.messageId, { text: settledText(approval), buttons: [] });
  }

  /**
   * Sends a request once to the conversation that it belongs to, through `message_sending`; no hook can
   * remove the code that identifies it (APPR-025).
   */
  async #deliver(
    approval: ApprovalSummary,
    { message, row, context, caller }: RoutedMessage,
  ): Promise<void> {
    if (approval.state !== "pending") return this.#update(approval, caller);
    const { store, replies, now } = this.#dependencies;
    const { id, sessionKey, agentId, runId } = approval;
    const added = await store.messages.outbox.add({
      // A request is not a chunk of the turn's reply; its own ID prevents sending it twice.
      runId: id,
      part: 0,
      inboxId: row.id,
      sessionKey,
      target: replyTarget(message),
      content: approvalText(approval, now()),
    });
    if (added.duplicate) return;
    const about = { ...context, agentId, sessionKey, ...(runId !== undefined && { runId }) };
    await replies.deliverChunk(added.row, about, caller.surface, {
      finish: (content) => keepApprovalCode(approval, content),
      buttons: approvalButtons(approval),
    });
  }
}
