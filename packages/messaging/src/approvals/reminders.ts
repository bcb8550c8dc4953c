import { logRejection } from "@openclaw/agent";
import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { MessageAnswers } from "../delivery/message-answer.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import { approvalInstructions, approvalName } from "./request.js";

/** Dependencies of {@link ApprovalReminders}. */
export interface ApprovalRemindersDependencies {
  readonly live: Pick<LiveSessions, "turns">;
  readonly store: Pick<Store, "decisions">;
  readonly answers: Pick<MessageAnswers, "notify">;
  readonly logger: Logger;
}

/** Notifies senders whose messages wait for a pending approval request. */
export class ApprovalReminders {
  readonly #dependencies: ApprovalRemindersDependencies;

  /** @param dependencies - queues, approval requests, notices and log */
  constructor(dependencies: ApprovalRemindersDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Notifies the sender of a message which approval request the message waits for (TURN-007). A failure is
   * logged.
   * @param routed - queued message
   */
  remind(routed: RoutedMessage): void {
    logRejection(this.#notify(routed), this.#dependencies.logger);
  }

  async #notify(routed: RoutedMessage): Promise<void> {
    const { live, store, answers } = this.#dependencies;
    const { caller, route } = routed;
    const { sessionKey } = route;
    // A caller with a screen shows the request itself; most sessions have no turn before this one.
    if (caller.onApproval !== undefined || live.turns(sessionKey).length < 2) return;
    const [approval] = await store.decisions.approvals.pending(sessionKey);
    if (approval === undefined) return;
    const text = [
      `Your message waits for the decision on ${approvalName(approval)}.`,
      approvalInstructions(approval),
    ].join(" ");
    if (caller.onNotice !== undefined) caller.onNotice(text);
    if (caller.surface !== undefined) await answers.notify(routed, text, sessionKey);
  }
}
