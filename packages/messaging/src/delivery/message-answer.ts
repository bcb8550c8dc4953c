import type { NewReply, OutboxRow, Store } from "@openclaw/store";
import type { StoredMessage } from "../inbound/admission.js";
import type { MessageHost } from "../inbound/host.js";
import { deliverReply } from "./reply.js";

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
  stored: StoredMessage,
  answer: MessageAnswer,
  host: MessageHost,
): Promise<string> {
  const reply = await host.store.transaction((unit) => storeAnswer(unit, stored, answer));
  return deliverAnswer(reply, stored, host);
}

/**
 * Stores the outcome of a message and the words for its sender, in the transaction of what it brought about.
 * @param unit - the transaction
 * @param stored - the message
 * @param answer - its outcome
 * @returns the words, for {@link deliverAnswer}; undefined when there are none
 * @throws RowStateError when the message has an outcome already
 */
export async function storeAnswer(
  unit: Pick<Store, "inbox" | "outbox">,
  stored: StoredMessage,
  { state, text = "", sessionKey }: MessageAnswer,
): Promise<OutboxRow | undefined> {
  const { row, message } = stored;
  await unit.inbox.settle(row.id, { state, ...(sessionKey === undefined ? {} : { sessionKey }) });
  if (text === "") return undefined;
  const words = wordsFor(stored, text, sessionKey ?? message.sessionKey ?? "");
  return (await unit.outbox.add(words)).row;
}

/**
 * Delivers the words that are stored for the sender of a message.
 * @param reply - the words, if there are any
 * @param stored - the message
 * @param host - hooks and store
 * @returns what was shown to the sender
 */
export async function deliverAnswer(
  reply: OutboxRow | undefined,
  stored: StoredMessage,
  host: MessageHost,
): Promise<string> {
  return reply === undefined ? "" : deliverWords(reply, stored, host);
}

/**
 * Tells the sender something before the message has its outcome: stored, then delivered, once.
 * @param stored - the message
 * @param text - what to tell
 * @param sessionKey - of its session
 * @param host - hooks and store
 */
export async function notifySender(
  stored: StoredMessage,
  text: string,
  sessionKey: string,
  host: MessageHost,
): Promise<void> {
  const { row, duplicate } = await host.store.outbox.add(wordsFor(stored, text, sessionKey));
  if (!duplicate) await deliverWords(row, stored, host);
}

function wordsFor({ message, row }: StoredMessage, content: string, sessionKey: string): NewReply {
  const { channel, conversationId, accountId, threadId, externalMessageId } = message;
  return {
    // Words without a run bear the id of the message that they answer.
    runId: row.id,
    part: 0,
    inboxId: row.id,
    sessionKey,
    target: {
      channel,
      to: conversationId,
      ...(accountId === undefined ? {} : { accountId }),
      ...(threadId === undefined ? {} : { threadId }),
    },
    content,
    ...(externalMessageId === undefined ? {} : { replyToId: externalMessageId }),
  };
}

async function deliverWords(
  reply: OutboxRow,
  { message, context, caller }: StoredMessage,
  host: MessageHost,
): Promise<string> {
  const occasion = { reply, context, inbound: { ...message, body: message.text }, caller };
  const delivery = await deliverReply(occasion, host);
  return delivery.status === "delivered" ? delivery.text : "";
}
