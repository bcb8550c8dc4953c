import type { ApprovalReminders } from "../approvals/reminders.js";
import type { ApprovalRequestDelivery } from "../approvals/request-delivery.js";
import type { AuthenticationMode } from "../credentials/authentication-mode.js";
import type { ReplyOutcome } from "../messages/inbound.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { SessionCallers } from "../messages/session-callers.js";
import type { UnstoredMessage } from "./direct.js";
import type { TurnQueueing } from "./queueing.js";
import type { MessageResponder } from "./responder.js";

/** Dependencies of {@link MessageEnqueuer}. */
export interface MessageEnqueuerDependencies {
  readonly queueing: Pick<TurnQueueing, "enqueue" | "enqueueDirectly">;
  readonly approvalRequests: Pick<ApprovalRequestDelivery, "attend">;
  readonly reminders: Pick<ApprovalReminders, "remind">;
  readonly credentials: Pick<AuthenticationMode, "attend">;
  readonly callers: Pick<SessionCallers, "attend">;
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
   * @param unstored - the message as the inbox stores it, if it is stored with its turn
   * @returns the outcome in an object, so that the caller can continue while a queued turn runs
   * @throws what the store throws; the message's outcome is then still open
   */
  async enqueue(
    routed: RoutedMessage,
    unstored?: UnstoredMessage,
  ): Promise<{ outcome: ReplyOutcome | Promise<ReplyOutcome> }> {
    const { queueing, reminders, responder } = this.#dependencies;
    const attending = this.#attend(routed);
    try {
      const queued = await (unstored === undefined
        ? queueing.enqueue(routed)
        : queueing.enqueueDirectly(routed, unstored));
      if (queued.outcome === "duplicate") {
        attending.end();
        return { outcome: { status: "duplicate", messageId: queued.messageId } };
      }
      if (queued.outcome === "refused") {
        const { text } = queued;
        const outcome = await responder.respond(routed, { text, answeredBy: "notice" });
        attending.end();
        return { outcome };
      }
      const { runId, sessionId } = queued.turn;
      routed.caller.onQueued?.(runId);
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

  /** Until its reply, the caller sees the requests and the new jobs of the session. */
  #attend(routed: RoutedMessage): { end(): void } {
    const { approvalRequests, credentials, callers, responder } = this.#dependencies;
    const { caller, message: address, row, context } = routed;
    const { sessionKey } = routed.route;
    const approvals = approvalRequests.attend({
      ...{ caller, address, context, sessionKey },
      inboxId: row.id,
    });
    const asked = credentials.attend(sessionKey, async (text, status) => {
      await responder.tell(routed, text);
      caller.onRequest?.(status);
    });
    const jobs = callers.attend(sessionKey, caller);
    return {
      end() {
        approvals.end();
        asked.end();
        jobs.end();
      },
    };
  }
}
