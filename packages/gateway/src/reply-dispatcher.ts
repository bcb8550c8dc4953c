import type { MessageContext, ReplyDispatcher, ReplyPayload } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow } from "@openclaw/store";
import type { ReplySurface } from "./inbound-message.js";
import { type Delivery, type DeliveryHost, deliverPart } from "./part-delivery.js";

/** Sends in place of the host, and what came of it. */
export interface TrackedDispatcher {
  readonly dispatcher: ReplyDispatcher;
  /** Where each thing ended that was sent with it, in order. */
  readonly deliveries: readonly Delivery[];
  /** Number for the next part of the reply. */
  nextPart(): number;
}

/**
 * Makes what a plugin sends with that delivers a reply itself; each text is a part of the reply and
 * passes the outbound hooks like any other.
 * @param reply - the reply that it may deliver
 * @param context - what hooks are told
 * @param surface - shows what is sent
 * @param host - hooks, store and log
 */
export function createReplyDispatcher(
  reply: OutboxRow,
  context: MessageContext,
  surface: ReplySurface | undefined,
  host: DeliveryHost,
): TrackedDispatcher {
  const deliveries: Delivery[] = [];
  const counts = { final: 0, block: 0, tool: 0 };
  let lastPart = reply.part;

  const nextPart = () => {
    lastPart += 1;
    return lastPart;
  };
  const sendAs = (kind: keyof typeof counts) => async (payload: ReplyPayload) => {
    const { text: content = "", attachments = [] } = payload;
    const part = { ...reply, part: nextPart(), content, attachments, ...replyTo(payload) };
    const { row } = await host.store.outbox.add(part);
    counts[kind] += 1;
    deliveries.push(await deliverPart(row, context, surface, host));
  };
  return {
    deliveries,
    nextPart,
    dispatcher: {
      sendFinal: sendAs("final"),
      sendBlock: sendAs("block"),
      sendTool: sendAs("tool"),
      get counts() {
        return { ...counts };
      },
    },
  };
}

function replyTo({ replyToId }: ReplyPayload): { replyToId?: string } {
  return replyToId === undefined ? {} : { replyToId };
}
