import { unawaited } from "@openclaw/agent";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow } from "@openclaw/store";
import { failureRecord } from "./failure-record.js";
import type { MessageHost } from "./message-host.js";

/** Where a reply ended, with the text that was shown. */
export type Delivery =
  | { status: "delivered"; text: string }
  | { status: "suppressed"; reason: string }
  | { status: "failed"; error: string };

/** Hands a text to the surface it goes to. */
export type SendText = (text: string) => Promise<{ messageId?: string }>;

const CANCELLED = "cancelled_by_message_sending_hook";

/**
 * Takes a stored reply through the outbound hooks to its surface and records where it ended; the only
 * way out of the host. What is sent cannot be taken back: where only its record fails, that is an error
 * in the log, and the next start closes the row.
 * @param reply - a pending row of the outbox
 * @param context - what hooks are told of the message
 * @param send - hands the text over
 * @param host - hooks, store and log
 */
export async function deliverReply(
  reply: OutboxRow,
  context: MessageContext,
  send: SendText,
  host: Pick<MessageHost, "plugins" | "store" | "logger">,
): Promise<Delivery> {
  const { hooks } = host.plugins;
  const { outbox } = host.store;
  const { channel, to } = reply.target;
  const verdict = await hooks.decide(
    "message_sending",
    { to, channel, content: reply.content },
    context,
  );
  if (verdict?.cancel === true) {
    const reason = verdict.cancelReason ?? CANCELLED;
    await record(reply, host, outbox.suppressed(reply.id, reason));
    return { status: "suppressed", reason };
  }

  const content = verdict?.content ?? reply.content;
  const sent = { to, channel, content, attempts: 1 };
  const told = (outcome: { success: boolean; error?: string; messageId?: string }) =>
    unawaited(hooks.observe("message_sent", { ...sent, ...outcome }, context), host.logger);
  let receipt: { messageId?: string };
  try {
    receipt = await send(content);
  } catch (cause) {
    const { message } = failureRecord(cause);
    const error = { code: "SEND_FAILED", message };
    await record(reply, host, outbox.failed(reply.id, { error, attempts: 1 }));
    host.logger.warn(`a reply could not be delivered to ${channel}: ${message}`, {
      outboxId: reply.id,
    });
    unawaited(hooks.observe("response_error", { ...sent, error }, context), host.logger);
    told({ success: false, error: message });
    return { status: "failed", error: message };
  }
  await record(reply, host, outbox.delivered(reply.id, receipt));
  told({ success: true, ...receipt });
  return { status: "delivered", text: content };
}

async function record(
  { id: outboxId }: OutboxRow,
  { logger }: Pick<MessageHost, "logger">,
  written: Promise<unknown>,
): Promise<void> {
  try {
    await written;
  } catch (error) {
    const { code, message } = failureRecord(error);
    logger.error(`where a reply ended could not be stored: ${message}`, { code, outboxId });
  }
}
