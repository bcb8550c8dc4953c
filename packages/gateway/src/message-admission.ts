import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundRow } from "@openclaw/store";
import type { InboundMessage } from "./inbound-message.js";
import type { MessageHost } from "./message-host.js";
import { deliverReply } from "./reply-delivery.js";

/** Whether a stored message goes on to a turn; if not, its outcome is stored and answered already. */
export type Admission =
  | { outcome: "admitted"; message: InboundMessage }
  | { outcome: "cancelled"; text: string; reason: string }
  | { outcome: "claimed"; text: string };

/**
 * Shows a stored message to the inbound hooks, in their order: `message_receiving` may rewrite or cancel
 * it, `message_received` sees what is left, `inbound_claim` may take it (D14).
 * @param message - as the surface gave it
 * @param row - as it was stored
 * @param context - what hooks are told of it
 * @param host - hooks and store
 * @throws PluginHookExecutionError when a fail-closed observer or claimant failed (LIFE-037)
 * @throws what the store throws; the message's outcome is then still open
 */
export async function admitMessage(
  message: InboundMessage,
  row: InboundRow,
  context: MessageContext,
  host: MessageHost,
): Promise<Admission> {
  const { hooks } = host.plugins;
  const { channel, senderId } = message;
  const seen = { channel, senderId, messageId: row.id, timestamp: row.receivedAt, isGroup: false };

  const verdict = await hooks.decide(
    "message_receiving",
    { ...seen, content: message.text, from: senderId },
    context,
  );
  if (verdict?.cancel === true) {
    const reason = verdict.cancelReason ?? "a plugin did not let the message in";
    return { outcome: "cancelled", reason, text: await settle("cancelled", verdict.reply) };
  }

  const content = verdict?.content ?? message.text;
  await hooks.observe(
    "message_received",
    { from: senderId, content, messageId: row.id, senderId, timestamp: row.receivedAt },
    context,
    { wait: "fail-closed" },
  );
  const claim = await hooks.claim("inbound_claim", { ...seen, content }, context);
  if (claim?.handled === true) {
    return { outcome: "claimed", text: await settle("claimed", claim.reply?.text) };
  }
  return { outcome: "admitted", message: { ...message, text: content } };

  /** Stores the outcome and the hook's own reply, if it gave one, as one; tells what was shown. */
  async function settle(state: "cancelled" | "claimed", text = ""): Promise<string> {
    const { conversationId, sessionKey } = message;
    const reply = await host.store.transaction(async (unit) => {
      await unit.inbox.settle(row.id, { state });
      if (text === "") return undefined;
      const added = await unit.outbox.add({
        // A reply without a run bears the id of the message it answers.
        runId: row.id,
        part: 0,
        inboxId: row.id,
        sessionKey,
        target: { channel, to: conversationId },
        content: text,
      });
      return added.row;
    });
    if (reply === undefined) return "";
    const delivery = await deliverReply(reply, context, async () => ({}), host);
    return delivery.status === "delivered" ? delivery.text : "";
  }
}
