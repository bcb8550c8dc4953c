import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundRow } from "@openclaw/store";
import { answerMessage } from "../delivery/message-answer.js";
import type { Caller, InboundMessage } from "../messages/inbound.js";
import type { MessageHost } from "./host.js";

/** Whether a stored message goes on to its session; if not, its outcome is stored and answered already. */
export type Admission =
  | { outcome: "admitted"; message: InboundMessage }
  | { outcome: "cancelled"; text: string; reason: string }
  | { outcome: "claimed"; text: string; content: string };

/** A message that was stored and whose outcome is open. */
export interface StoredMessage {
  /** As the surface gave it. */
  readonly message: InboundMessage;
  readonly row: InboundRow;
  /** What hooks are told of it. */
  readonly context: MessageContext;
  /** Who waits for the reply. */
  readonly caller: Caller;
}

/**
 * Shows a stored message to the inbound hooks, in their order: `message_receiving` may rewrite or cancel
 * it, `message_received` sees what is left, `inbound_claim` may take it (D14).
 * @param stored - the message
 * @param host - hooks and store
 * @throws PluginHookExecutionError when a fail-closed observer or claimant failed (LIFE-037)
 * @throws what the store throws; the message's outcome is then still open
 */
export async function admitMessage(stored: StoredMessage, host: MessageHost): Promise<Admission> {
  const { hooks } = host.plugins;
  const { message, row, context } = stored;
  const { channel, senderId, threadId, userName, room, attachments = [] } = message;
  const told = { senderId, messageId: row.id, timestamp: row.receivedAt, ...given({ threadId }) };
  const place = { channel, isGroup: room !== undefined };

  const verdict = await hooks.decide(
    "message_receiving",
    {
      ...told,
      ...place,
      content: message.text,
      from: senderId,
      attachments: [...attachments],
      metadata: { ...message.metadata },
    },
    context,
  );
  if (verdict?.cancel === true) {
    const reason = verdict.cancelReason ?? "a plugin did not let the message in";
    const text = await answerMessage(stored, { state: "cancelled", text: verdict.reply }, host);
    return { outcome: "cancelled", reason, text };
  }

  const content = verdict?.content ?? message.text;
  const metadata = { ...message.metadata, ...verdict?.metadata };
  const seen = { ...told, content, media: [...attachments], metadata };
  await hooks.observe("message_received", { ...seen, from: senderId }, context, {
    wait: "fail-closed",
  });
  const claim = await hooks.claim(
    "inbound_claim",
    { ...seen, ...place, ...given({ senderName: userName }) },
    context,
  );
  if (claim?.handled === true) {
    const text = await answerMessage(stored, { state: "claimed", text: claim.reply?.text }, host);
    return { outcome: "claimed", text, content };
  }
  return { outcome: "admitted", message: { ...message, text: content } };
}

/** The fields that have a value. */
function given<Key extends string>(
  fields: Record<Key, string | undefined>,
): { [K in Key]?: string } {
  const found: { [K in Key]?: string } = {};
  for (const key in fields) if (fields[key] !== undefined) found[key] = fields[key];
  return found;
}
