import type { JournalStep, OutboxRow } from "@openclaw/store";
import type { MessageHost } from "../inbound/host.js";
import { messageContext } from "../messages/context.js";
import { failureRecord } from "../messages/failure-record.js";
import type { ReplySurface } from "../messages/inbound.js";
import { restoreMessage } from "../messages/inbox.js";
import { deliverPart } from "./chunk.js";
import { NOBODY_WAITED } from "./recovered-caller.js";
import { deliverReply } from "./reply.js";

const UNKNOWN = {
  code: "DELIVERY_UNKNOWN",
  message:
    "interrupted: outcome unknown; the host ended while the channel was given the message, which is not sent again",
};

/**
 * Sends the replies that an earlier process stored and did not send, where their channel is still there.
 * No part is sent twice: one that was being sent goes out again only where its channel knows a repeat.
 * @param replies - the pending parts, oldest first
 * @param host - channels, hooks and store
 */
export async function recoverReplies(
  replies: readonly OutboxRow[],
  host: MessageHost,
): Promise<void> {
  for (const reply of replies) {
    try {
      await recover(reply, host);
    } catch (error) {
      const { code, message } = failureRecord(error);
      const problem = `a reply of an earlier process could not be sent: ${message}`;
      host.logger.error(problem, { code, outboxId: reply.id });
    }
  }
}

async function recover(reply: OutboxRow, host: MessageHost): Promise<void> {
  const { id, runId, part, inboxId } = reply;
  const { outbox, inbox, journal } = host.store;
  const surface = host.lastingSurface?.(reply.target);
  const row = inboxId === undefined ? undefined : await inbox.get(inboxId);
  if (surface === undefined || row === undefined) {
    await outbox.suppressed(id, NOBODY_WAITED);
    return;
  }
  const steps = (await journal.load(runId)).map(({ step }) => step);
  if (wasBeingSent(id, steps) && surface.deduplicates !== true) {
    await outbox.failed(id, { error: UNKNOWN, attempts: 1 });
    return;
  }
  const message = restoreMessage(row);
  const { sessionKey } = reply;
  const turn = await host.store.turns.get(runId);
  const context = {
    ...messageContext(message, row.id),
    ...(turn === undefined ? {} : { agentId: turn.agentId, sessionId: turn.sessionId, runId }),
    ...(sessionKey === "" ? {} : { sessionKey }),
  };
  if (part > 0 || wasDivided(id, steps)) await deliverPart(reply, context, surface, host);
  else if (hasOtherParts(steps)) await outbox.suppressed(id, "delivered_by_reply_dispatch_hook");
  else await deliver(reply, { context, surface, row: message }, host);
}

async function deliver(
  reply: OutboxRow,
  {
    context,
    surface,
    row,
  }: {
    context: ReturnType<typeof messageContext>;
    surface: ReplySurface;
    row: ReturnType<typeof restoreMessage>;
  },
  host: MessageHost,
): Promise<void> {
  // Of a message that a gate blocked the text is gone, and is not shown as none.
  const inbound = row.text === "" ? row : { ...row, body: row.text };
  await deliverReply({ reply, context, inbound, caller: { surface } }, host);
}

function wasBeingSent(outboxId: string, steps: readonly JournalStep[]): boolean {
  return steps.some((step) => step.kind === "part-sending" && step.outboxId === outboxId);
}

function wasDivided(outboxId: string, steps: readonly JournalStep[]): boolean {
  return steps.some((step) => step.kind === "reply-divided" && step.outboxId === outboxId);
}

/** A plugin had begun to deliver the reply itself. */
function hasOtherParts(steps: readonly JournalStep[]): boolean {
  return steps.some((step) => step.kind === "reply-stored" && step.part > 0);
}
