import type { ApprovalReminders } from "../approvals/reminders.js";
import type { ApprovalRequestDelivery } from "../approvals/request-delivery.js";
import type { ReplyOutcome } from "../messages/inbound.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { TurnQueueing } from "./queueing.js";
import type { MessageResponder } from "./responder.js";

/** Dependencies of {@link MessageEnqueuer}. */
export interface MessageEnqueuerDependencies {
  readonly queueing: Pick<TurnQueueing, "enqueue">;
  readonly approvalRequests: Pick<ApprovalRequestDelivery, "attend">;
  readonly reminders: Pick<ApprovalReminders, "remind">;
  readonly responder: MessageResponder;
}

/** Queues messages in their sessions and keeps their callers informed until the reply. */
export class MessageEnqueuer {
  readonly #dependencies: MessageEnqueuerDependencies;

  /** @param dependencies - queueing, approval requests, reminders and replies */
  constructor(dependencies: MessageEnqueuerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Queues a message. Until its reply, the caller sees the approval requests of the session.
   * @param routed - the message
   * @returns the outcome wrapped in an object, so that the caller can continue while a queued turn runs
   * @throws store errors; the message then still has no outcome
   */
  async enqueue(routed: RoutedMessage): Promise<{ outcome: ReplyOutcome | Promise<ReplyOutcome> }> {
    const { queueing, approvalRequests, reminders, responder } = this.#dependencies;
    const attending = approvalRequests.attend(routed);
    try {
      const queued = await queueing.enqueue(routed);
      if (queued.outcome === "refused") {
        const { text } = queued;
        const outcome = await responder.respond(routed, { text, answeredBy: "notice" });
        attending.end();
        return { outcome };
      }
      const { runId, sessionId } = queued.turn;
      const { agentId, sessionKey, deliveryContext } = routed.route;
      responder.announce(
        { ...routed, context: { ...routed.context, agentId, sessionKey, runId } },
        {
          outcome: "queued",
          sessionId,
          runId,
          sessionKey,
          content: routed.admitted.text,
          route: { agentId, ...deliveryContext },
        },
      );
      reminders.remind(routed);
      const outcome = queued.reply
        .then((reply) => ({ ...reply, messageId: routed.row.id }))
        .finally(() => attending.end());
      return { outcome };
    } catch (error) {
      attending.end();
      throw error;
    }
  }
}
