import type { ApprovalSummary } from "@openclaw/client/wire";
import { keepAnswerable, questionText } from "./approval-question.js";
import type { StoredMessage } from "./message-admission.js";
import type { MessageHost } from "./message-host.js";
import { deliverPart } from "./part-delivery.js";

/**
 * Sends a question to the conversation that it goes back to, once, past `message_sending`; no hook takes
 * out of it what it is answered by (APPR-025).
 * @param approval - the question
 * @param stored - the message whose turn asks, and its surface
 * @param host - hooks, store and log
 */
export async function deliverQuestion(
  approval: ApprovalSummary,
  { message, row, context, caller }: Pick<StoredMessage, "message" | "row" | "context" | "caller">,
  host: MessageHost,
): Promise<void> {
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
