import { logRejection } from "@openclaw/agent";
import type { HookMap, MessageContext, ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import type { Cancellation, OutboxRow } from "@openclaw/store";
import type { MessageHost } from "../inbound/host.js";
import { failureRecord } from "../messages/failure-record.js";
import type { ReplySurface } from "../messages/inbound.js";
import { childSpan } from "../messages/trace.js";

/** Where a reply or a part of one ended, with the text that was shown. */
export type Delivery =
  | { status: "delivered"; text: string }
  | { status: "suppressed"; reason: string }
  | { status: "failed"; error: string };

/** What delivery needs of the host. */
export type DeliveryHost = Pick<MessageHost, "plugins" | "store" | "logger" | "signal">;

const CANCELLED = "cancelled_by_message_sending_hook";

type SendingVerdict = HookMap["message_sending"]["result"];

/**
 * Takes a stored part of a reply past `message_sending` to its surface and records where it ended. What
 * is sent cannot be taken back: where only its record fails, that is an error in the log, and the next
 * start closes the row.
 * @param part - a pending row of the outbox
 * @param context - what hooks are told of the message it answers
 * @param surface - shows it
 * @param host - hooks, store and log
 * @param keep - puts back what a hook may not take out of the text
 */
export async function deliverPart(
  part: OutboxRow,
  context: MessageContext,
  surface: ReplySurface | undefined,
  host: DeliveryHost,
  keep: (content: string) => string = (content) => content,
): Promise<Delivery> {
  const { hooks } = host.plugins;
  const { outbox } = host.store;
  const { channel, to, threadId } = part.target;
  const about = { ...context, ...childSpan(context) };
  const place = {
    ...(part.replyToId === undefined ? {} : { replyToId: part.replyToId }),
    ...(threadId === undefined ? {} : { threadId }),
  };
  const verdict = await hooks.decide(
    "message_sending",
    { to, channel, content: part.content, ...place },
    about,
  );
  if (verdict?.cancel === true) {
    const said = cancellation(verdict);
    await record(part, host, outbox.suppressed(part.id, CANCELLED, said));
    return { status: "suppressed", reason: CANCELLED };
  }

  const content = keep(verdict?.content ?? part.content);
  const sent = {
    to,
    channel,
    content,
    attempts: 1,
    sessionKey: part.sessionKey,
    ...(context.runId === undefined ? {} : { runId: context.runId }),
  };
  const told = (outcome: { success: boolean; error?: string; messageId?: string }) => {
    const { messageId = about.messageId } = outcome;
    const seenBy = messageId === undefined ? about : { ...about, messageId };
    logRejection(hooks.observe("message_sent", { ...sent, ...outcome }, seenBy), host.logger);
  };
  let receipt: { messageId?: string };
  try {
    if (surface?.deduplicates === false) {
      const { id: outboxId, part: number, runId } = part;
      const step = { kind: "part-sending", outboxId, part: number } as const;
      await host.store.journal.append({ runId, step });
    }
    receipt = (await surface?.send(payloadOf(part, content), { idempotencyKey: part.id })) ?? {};
  } catch (cause) {
    const { message } = failureRecord(cause);
    const error = { code: "SEND_FAILED", message };
    await record(part, host, outbox.failed(part.id, { error, attempts: 1 }));
    host.logger.warn(`a reply could not be delivered to ${channel}: ${message}`, {
      outboxId: part.id,
    });
    const failed = { to, channel, content, attempts: 1, error };
    logRejection(hooks.observe("response_error", failed, about), host.logger);
    told({ success: false, error: message });
    return { status: "failed", error: message };
  }
  await record(part, host, outbox.delivered(part.id, receipt));
  told({ success: true, ...receipt });
  return { status: "delivered", text: content };
}

/** What the hook said of it, in a form that can be stored. */
function cancellation({ cancelReason, metadata }: SendingVerdict): Cancellation {
  return JSON.parse(JSON.stringify({ cancelReason, metadata })) as Cancellation;
}

function payloadOf({ attachments, replyToId }: OutboxRow, text: string): ReplyPayload {
  return {
    text,
    ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
    ...(replyToId === undefined ? {} : { replyToId }),
  };
}

/**
 * Waits for the record of where a part ended; that it fails changes nothing any more.
 * @param part - that ended
 * @param host - whose log is told
 * @param written - the record
 */
export async function record(
  { id: outboxId }: OutboxRow,
  { logger }: Pick<DeliveryHost, "logger">,
  written: Promise<unknown>,
): Promise<void> {
  try {
    await written;
  } catch (error) {
    const { code, message } = failureRecord(error);
    logger.error(`where a reply ended could not be stored: ${message}`, { code, outboxId });
  }
}
