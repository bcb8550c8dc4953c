import { unawaited } from "@openclaw/agent";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow } from "@openclaw/store";
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
 * way out of the host.
 * @param reply - a pending row of the outbox
 * @param context - what hooks are told of the message
 * @param send - hands the text over
 * @param host - hooks, store and log
 */
export async function deliverReply(
  reply: OutboxRow,
  context: MessageContext,
  send: SendText,
  { plugins: { hooks }, store, logger }: Pick<MessageHost, "plugins" | "store" | "logger">,
): Promise<Delivery> {
  const { channel, to } = reply.target;
  const verdict = await hooks.decide(
    "message_sending",
    { to, channel, content: reply.content },
    context,
  );
  if (verdict?.cancel === true) {
    const reason = verdict.cancelReason ?? CANCELLED;
    await store.outbox.suppressed(reply.id, reason);
    return { status: "suppressed", reason };
  }
  const content = verdict?.content ?? reply.content;
  const sent = { to, channel, content, attempts: 1 };
  try {
    const receipt = await send(content);
    await store.outbox.delivered(reply.id, receipt);
    unawaited(
      hooks.observe("message_sent", { ...sent, ...receipt, success: true }, context),
      logger,
    );
    return { status: "delivered", text: content };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const error = { code: "SEND_FAILED", message };
    await store.outbox.failed(reply.id, { error, attempts: 1 });
    logger.warn(`a reply could not be delivered to ${channel}: ${message}`, { outboxId: reply.id });
    await hooks.observe("response_error", { to, channel, content, error, attempts: 1 }, context);
    unawaited(
      hooks.observe("message_sent", { ...sent, success: false, error: message }, context),
      logger,
    );
    return { status: "failed", error: message };
  }
}
