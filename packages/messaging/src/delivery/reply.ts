import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import type {
  HookMap,
  InboundSummary,
  MessageContext,
  ReplyPayload,
} from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow } from "@openclaw/store";
import { failureRecord } from "../messages/failure-record.js";
import type { Caller, InboundMessage } from "../messages/inbound.js";
import { type Delivery, type DeliveryHost, deliverPart, record } from "./chunk.js";
import { NOBODY_WAITED } from "./recovered-caller.js";
import { PartDispatcher } from "./reply-dispatcher.js";
import { textParts } from "./text-chunks.js";

/** A stored reply, and what it answers. */
export interface ReplyOccasion {
  /** A pending row of the outbox. */
  readonly reply: OutboxRow;
  /** What hooks are told of the message. */
  readonly context: MessageContext;
  /** The answered message; without `body` where its text must not be seen any more. */
  readonly inbound: Pick<InboundMessage, "channel" | "senderId" | "threadId" | "room"> & {
    readonly body?: string;
  };
  /** Who waits for the reply. */
  readonly caller: Pick<Caller, "surface" | "hasGone">;
}

type DispatchVerdict = HookMap["before_dispatch"]["result"];

/**
 * Takes a stored reply through the outbound hooks to its surface and records where it ended; the only
 * way out of the host. `reply_dispatch` may deliver it, `before_dispatch` rewrite, replace or cancel it,
 * and each part passes `message_sending` (TURN-047).
 * @param occasion - the reply and what it answers
 * @param host - hooks, store and log
 */
export async function deliverReply(occasion: ReplyOccasion, host: DeliveryHost): Promise<Delivery> {
  const { reply, context, caller } = occasion;
  const { outbox } = host.store;
  const dispatcher = new PartDispatcher(reply, context, caller.surface, host);

  const suppress = async (reason: string, said?: { cancelReason: string }): Promise<Delivery> => {
    await record(reply, host, outbox.suppressed(reply.id, reason, said));
    return { status: "suppressed", reason };
  };
  if (caller.hasGone === true) return suppress(NOBODY_WAITED);
  try {
    const claim = await host.plugins.hooks.claim("reply_dispatch", dispatchEvent(occasion), {
      ...context,
      dispatcher,
      abortSignal: host.signal,
    });
    if (claim?.handled === true) {
      await suppress("delivered_by_reply_dispatch_hook");
      return combine(dispatcher.deliveries);
    }
  } catch (error) {
    // Of a handler that was to count: the host must not deliver in its place (HCR-004).
    if (!isPluginHookExecutionError(error)) throw error;
    const { code, message } = failureRecord(error);
    host.logger.error(message, { code, outboxId: reply.id });
    return suppress("reply_dispatch_failed");
  }

  const verdict = await host.plugins.hooks.decide(
    "before_dispatch",
    { ...beforeDispatchEvent(occasion) },
    context,
  );
  if (verdict?.cancel === true) {
    const { cancelReason } = verdict;
    return suppress(
      "cancelled_by_before_dispatch_hook",
      cancelReason === undefined ? undefined : { cancelReason },
    );
  }
  const content = finalContent(reply, verdict);
  if (content === "") return suppress("answered_by_before_dispatch_hook");
  const parts = textParts(content, caller.surface?.textLimit);
  const rows =
    parts.length === 1 && parts[0] === reply.content
      ? [reply]
      : await outbox.divide(reply.id, parts, dispatcher.nextPart());
  const deliveries: Delivery[] = [];
  for (const row of withAttachments(rows, verdict)) {
    if (deliveries.at(-1)?.status === "failed") {
      await record(row, host, outbox.suppressed(row.id, "an earlier part failed"));
    } else deliveries.push(await deliverPart(row, context, caller.surface, host));
  }
  return combine(deliveries);
}

function payloadOf({ content, attachments, replyToId }: OutboxRow): ReplyPayload {
  return {
    text: content,
    ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
    ...(replyToId === undefined ? {} : { replyToId }),
  };
}

function dispatchEvent({
  reply,
  context,
  inbound,
}: ReplyOccasion): HookMap["reply_dispatch"]["event"] {
  const { channel, to } = reply.target;
  const { senderId, threadId, room, body } = inbound;
  const { messageId } = context;
  const summary: InboundSummary = {
    channel: inbound.channel,
    from: senderId,
    senderId,
    isGroup: room !== undefined,
    ...(body === undefined ? {} : { body }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(threadId === undefined ? {} : { threadId }),
  };
  return {
    ctx: summary,
    payloads: [payloadOf(reply)],
    sendPolicy: "allow",
    shouldRouteToOriginating: true,
    originatingChannel: channel,
    originatingTo: to,
    inboundAudio: false,
  };
}

function beforeDispatchEvent({
  reply,
  inbound,
}: ReplyOccasion): HookMap["before_dispatch"]["event"] {
  const { content, target, sessionKey, replyToId, createdAt } = reply;
  const { senderId, room, body } = inbound;
  return {
    content,
    kind: "final",
    channel: target.channel,
    to: target.to,
    sessionKey,
    senderId,
    isGroup: room !== undefined,
    payload: payloadOf(reply),
    timestamp: createdAt,
    ...(body === undefined ? {} : { body }),
    ...(replyToId === undefined ? {} : { replyToId }),
    ...(target.threadId === undefined ? {} : { threadId: target.threadId }),
  };
}

/** The text that is sent: a handled reply is replaced by the handler's, which may be none. */
function finalContent(reply: OutboxRow, verdict: DispatchVerdict | undefined): string {
  if (verdict?.handled === true) return verdict.text ?? "";
  return verdict?.content ?? verdict?.payload?.text ?? reply.content;
}

/** What a hook attached goes out with the last part. */
function withAttachments(
  rows: readonly OutboxRow[],
  verdict: DispatchVerdict | undefined,
): readonly OutboxRow[] {
  const attachments = verdict?.handled === true ? undefined : verdict?.payload?.attachments;
  if (attachments === undefined) return rows;
  return rows.map((row, index) => (index === rows.length - 1 ? { ...row, attachments } : row));
}

/** How a reply ended of which the parts ended so: what was shown of it counts. */
function combine(deliveries: readonly Delivery[]): Delivery {
  const failed = deliveries.find(({ status }) => status === "failed");
  if (failed !== undefined) return failed;
  const shown = deliveries.flatMap((each) => (each.status === "delivered" ? [each.text] : []));
  const [first] = deliveries;
  if (shown.length > 0) return { status: "delivered", text: shown.join("\n") };
  return first ?? { status: "delivered", text: "" };
}
