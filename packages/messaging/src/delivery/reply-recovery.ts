import type { Logger } from "@openclaw/plugin-sdk";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { JournalStep, OutboxRow, Store } from "@openclaw/store";
import { messageContext } from "../messages/context.js";
import { failureRecord } from "../messages/failure-record.js";
import { restoreMessage } from "../messages/inbox.js";
import { CALLER_GONE, type FindSurface } from "./recovered-caller.js";
import type { ReplyDelivery } from "./reply.js";

const UNKNOWN = {
  code: "DELIVERY_UNKNOWN",
  message:
    "interrupted: outcome unknown; the host stopped while it sent the message to the channel, and does not send it again",
};

/** Dependencies of {@link recoverReplies}. */
export interface ReplyRecoveryDependencies {
  readonly store: Pick<Store, "messages" | "turns" | "decisions">;
  readonly replies: ReplyDelivery;
  readonly logger: Logger;
  readonly findSurface: FindSurface;
}

/**
 * Sends the replies that an earlier process stored but did not send, if their channel still exists. No chunk
 * is sent twice: one that was being sent is sent again only when its channel detects repeats.
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

async function recover(
  reply: OutboxRow,
  { store, replies, findSurface }: ReplyRecoveryDependencies,
): Promise<void> {
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
    await outbox.failed(id, { error: UNKNOWN, attempts: 1 });
    return;
  }
  const message = restoreMessage(row);
  const context = await contextOf(reply, messageContext(message, row.id), store);
  if (part > 0 || wasDivided(id, steps)) await replies.deliverChunk(reply, context, surface);
  else if (hasOtherChunks(steps)) await outbox.suppressed(id, "delivered_by_reply_dispatch_hook");
  else {
    // The text of a blocked message is deleted; it is left out rather than shown as empty.
    const inbound = message.text === "" ? message : { ...message, body: message.text };
    const isAnswer = (await store.turns.get(runId))?.state === "completed";
    await replies.deliver({ reply, context, inbound, caller: { surface }, isAnswer });
  }
}

/** Adds the session and the turn of a reply to the context of its message. */
async function contextOf(
  { runId, sessionKey }: OutboxRow,
  context: MessageContext,
  { turns }: Pick<Store, "turns">,
): Promise<MessageContext> {
  const turn = await turns.get(runId);
  const ofTurn = turn && { agentId: turn.agentId, sessionId: turn.sessionId, runId };
  return { ...context, ...ofTurn, ...(sessionKey === "" ? undefined : { sessionKey }) };
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
