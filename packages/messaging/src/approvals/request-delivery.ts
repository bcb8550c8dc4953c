import type { ApprovalSummary } from "@openclaw/protocol";
import { deliverPart } from "../delivery/chunk.js";
import { notifySender } from "../delivery/message-answer.js";
import type { MessageHost } from "../inbound/host.js";
import type { RoutedMessage } from "../inbound/queueing.js";
import { howToAnswer, keepAnswerable, questionName, questionText } from "./request.js";

/**
 * Shows the questions of a conversation to whoever waits for a reply in it, as far as they can see them:
 * on the caller's own screen, or as messages on its surface.
 * @param routed - the message, with its caller
 * @param host - attendance and delivery
 * @returns ends it
 */
export function attendQuestions(routed: RoutedMessage, host: MessageHost): { end(): void } {
  const { caller, route, admitted } = routed;
  const { onApproval, surface } = caller;
  if (onApproval === undefined && surface === undefined) return { end: () => undefined };
  const end = host.attendance.attend({
    channel: admitted.channel,
    sessionKey: route.sessionKey,
    show: (approval) =>
      onApproval === undefined ? deliverQuestion(approval, routed, host) : onApproval(approval),
  });
  return { end };
}

/**
 * Tells the sender of a message that waits behind a question which one it is (TURN-007).
 * @param routed - the message, queued
 * @param host - questions and delivery
 */
export async function remindOfQuestions(routed: RoutedMessage, host: MessageHost): Promise<void> {
  const { caller, route } = routed;
  const { sessionKey } = route;
  // A caller with a screen of its own sees the question itself; most sessions have nothing before it.
  if (caller.onApproval !== undefined || host.turnLines.of(sessionKey).length < 2) return;
  const [approval] = await host.store.approvals.pending(sessionKey);
  if (approval === undefined) return;
  const words = [
    `Your message waits until ${questionName(approval)} is answered.`,
    howToAnswer(approval),
  ].join(" ");
  if (caller.onNotice !== undefined) caller.onNotice(words);
  if (caller.surface !== undefined) await notifySender(routed, words, sessionKey, host);
}

/**
 * Sends a question to the conversation that it goes back to, once, past `message_sending`; no hook takes
 * out of it what it is answered by (APPR-025).
 */
async function deliverQuestion(
  approval: ApprovalSummary,
  { message, row, context, caller }: RoutedMessage,
  host: MessageHost,
): Promise<void> {
  if (approval.state !== "pending") return;
  const { channel, conversationId, accountId, threadId } = message;
  const { id, sessionKey, agentId, runId } = approval;
  const added = await host.store.outbox.add({
    // A question is not a part of the reply of its turn; its own id keeps it from being sent twice.
    runId: id,
    part: 0,
    inboxId: row.id,
    sessionKey,
    target: {
      channel,
      to: conversationId,
      ...(accountId === undefined ? {} : { accountId }),
      ...(threadId === undefined ? {} : { threadId }),
    },
    content: questionText(approval, host.services.now()),
  });
  if (added.duplicate) return;
  const about = { ...context, agentId, sessionKey, ...(runId === undefined ? {} : { runId }) };
  await deliverPart(added.row, about, caller.surface, host, (content) =>
    keepAnswerable(approval, content),
  );
}
