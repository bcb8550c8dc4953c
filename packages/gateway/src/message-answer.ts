import type { StoredMessage } from "./message-admission.js";
import type { MessageHost } from "./message-host.js";
import { deliverReply } from "./reply-delivery.js";

/** How a message ends that no turn answers. */
export interface MessageAnswer {
  readonly state: "answered" | "cancelled" | "claimed";
  /** What its sender is told; nothing when absent or empty. */
  readonly text?: string | undefined;
  /** Session that the message acted on. */
  readonly sessionKey?: string;
}

/**
 * Ends a message without a turn: stores its outcome and the words for its sender as one, and delivers
 * those.
 * @param stored - the message
 * @param answer - its outcome
 * @param host - hooks and store
 * @returns what was shown to the sender
 * @throws what the store throws; the message's outcome is then still open
 */
export async function answerMessage(
  { message, row, context, caller }: StoredMessage,
  { state, text = "", sessionKey }: MessageAnswer,
  host: MessageHost,
): Promise<string> {
  const { channel, conversationId, accountId, threadId, externalMessageId } = message;
  const reply = await host.store.transaction(async (unit) => {
    await unit.inbox.settle(row.id, { state, ...(sessionKey === undefined ? {} : { sessionKey }) });
    if (text === "") return undefined;
    const added = await unit.outbox.add({
      // A reply without a run bears the id of the message it answers.
      runId: row.id,
      part: 0,
      inboxId: row.id,
      sessionKey: sessionKey ?? message.sessionKey ?? "",
      target: {
        channel,
        to: conversationId,
        ...(accountId === undefined ? {} : { accountId }),
        ...(threadId === undefined ? {} : { threadId }),
      },
      content: text,
      ...(externalMessageId === undefined ? {} : { replyToId: externalMessageId }),
    });
    return added.row;
  });
  if (reply === undefined) return "";
  const occasion = { reply, context, inbound: { ...message, body: message.text }, caller };
  const delivery = await deliverReply(occasion, host);
  return delivery.status === "delivered" ? delivery.text : "";
}
