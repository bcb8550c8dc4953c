import { defined } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { InboundRow, JournalStep, OutboxRow, Store } from "@openclaw/store";
import { messageContext } from "../messages/context.js";
import type { ConversationEvents } from "../messages/conversation-events.js";
import { failureRecord } from "../messages/failure-record.js";
import type { ReplySurface } from "../messages/inbound.js";
import { restoreMessage } from "../messages/inbox.js";
import { CALLER_GONE, type FindSurface } from "./recovered-caller.js";
import type { ReplyDelivery } from "./reply.js";
import { turnContext } from "./turn-context.js";

const UNKNOWN = {
  code: "DELIVERY_UNKNOWN",
  message:
    "interrupted: outcome unknown; the host stopped while it sent the message to the channel, and does not send it again",
};

/** Begins the run ID of a notice about a reply whose delivery is unknown; a notice itself has none. */
const NOTICE = "notice:";

/** Text for the sender of a message whose reply may be lost. */
const MAY_BE_LOST =
  "My reply to this message may be missing, whole or in part: the host stopped while it was being sent, and does not send it twice. Ask for it again if you do not see it.";

/** Dependencies of {@link recoverReplies}. */
export interface ReplyRecoveryDependencies {
  readonly store: Pick<Store, "messages" | "turns" | "decisions" | "transaction">;
  readonly replies: ReplyDelivery;
  readonly logger: Logger;
  readonly findSurface: FindSurface;
  /** Tells the clients of the session of replies that may be lost. */
  readonly events: Pick<ConversationEvents, "undelivered">;
}

/**
 * Sends the replies that an earlier process stored but did not send, if their channel still exists. No chunk
 * is sent twice: one that was being sent is sent again only when its channel detects repeats. On any other channel the
 * sender is told, once, that it may be missing.
 * @param pending - pending chunks, oldest first
 * @param dependencies - store, delivery, log and channels
 */
export async function recoverReplies(
  pending: readonly OutboxRow[],
  dependencies: ReplyRecoveryDependencies,
): Promise<void> {
  for (const reply of pending) {
    try {
      await recover(reply, dependencies);
    } catch (error) {
      const { code, message } = failureRecord(error);
      const problem = `a reply of an earlier process could not be sent: ${message}`;
      dependencies.logger.error(problem, { code, outboxId: reply.id });
    }
  }
}

async function recover(reply: OutboxRow, dependencies: ReplyRecoveryDependencies): Promise<void> {
  const { store, replies, findSurface } = dependencies;
  const { id, runId, part, inboxId } = reply;
  const {
    messages: { outbox, inbox },
    turns: { journal },
    decisions: { approvals },
  } = store;
  const approval = runId.startsWith("apr_") ? await approvals.get(runId) : undefined;
  if (approval !== undefined) {
    // A pending request is shown again by its approvers, with its buttons.
    if (approval.state !== "pending") await outbox.suppressed(id, `it is ${approval.state}`);
    return;
  }
  const surface = findSurface(reply.target, inboxId);
  const row = inboxId === undefined ? undefined : await inbox.get(inboxId);
  if (surface === undefined || row === undefined) {
    await outbox.suppressed(id, CALLER_GONE);
    return;
  }
  const steps = (await journal.load(runId)).map(({ step }) => step);
  if (wasBeingSent(id, steps) && surface.deduplicates !== true) {
    await giveUp({ reply, row, surface }, dependencies);
    return;
  }
  const message = restoreMessage(row);
  const context = await turnContext(reply, messageContext(message, row.id), store);
  if (part > 0 || wasDivided(id, steps)) await replies.deliverChunk(reply, context, surface);
  else if (hasOtherChunks(steps)) await outbox.suppressed(id, "delivered_by_reply_dispatch_hook");
  else {
    // The text of a blocked message is deleted; it is left out rather than shown as empty.
    const inbound = message.text === "" ? message : { ...message, body: message.text };
    const isAnswer = (await store.turns.get(runId))?.state === "completed";
    await replies.deliver({ reply, context, inbound, caller: { surface }, isAnswer });
  }
}

/** Chunk whose delivery is unknown, the message that it answers, and the surface of its channel. */
interface UnknownDelivery {
  readonly reply: OutboxRow;
  readonly row: InboundRow;
  readonly surface: ReplySurface;
}

/** Stores together that a delivery is unknown, and the notice for the sender, so that a further kill repeats neither. */
async function giveUp(
  { reply, row, surface }: UnknownDelivery,
  { store, replies, events }: ReplyRecoveryDependencies,
): Promise<void> {
  const { id, runId, inboxId, sessionKey, target, replyToId } = reply;
  const notice = await store.transaction(async ({ messages: { outbox } }) => {
    await outbox.failed(id, { error: UNKNOWN, attempts: 1 });
    if (runId.startsWith(NOTICE)) return undefined;
    const told = { inboxId, sessionKey, target, replyToId, content: MAY_BE_LOST };
    return (await outbox.add(defined({ ...told, runId: `${NOTICE}${id}`, part: 0 }))).row;
  });
  events.undelivered(reply, { text: reply.content, attempts: 1, error: UNKNOWN });
  if (notice === undefined) return;
  const message = restoreMessage(row);
  const context = await turnContext(notice, messageContext(message, row.id), store);
  await replies.deliver({ reply: notice, context, inbound: message, caller: { surface } });
}

function wasBeingSent(outboxId: string, steps: readonly JournalStep[]): boolean {
  return steps.some((step) => step.kind === "part-sending" && step.outboxId === outboxId);
}

function wasDivided(outboxId: string, steps: readonly JournalStep[]): boolean {
  return steps.some((step) => step.kind === "reply-divided" && step.outboxId === outboxId);
}

/** Returns true when a plugin had begun to deliver the reply itself. */
function hasOtherChunks(steps: readonly JournalStep[]): boolean {
  return steps.some((step) => step.kind === "reply-stored" && step.part > 0);
}
