import { defined } from "@openclaw/foundation";
import { isPluginHookExecutionError } from "@openclaw/plugin-sdk/errors";
import type {
  HookMap,
  InboundSummary,
  MessageContext,
  ReplyPayload,
} from "@openclaw/plugin-sdk/hooks";
import { type Cancellation, EARLIER_PART_FAILED, type OutboxRow } from "@openclaw/store";
import { hasAudio } from "../messages/audio.js";
import { failureRecord } from "../messages/failure-record.js";
import type { ReplySurface } from "../messages/inbound.js";
import { channelTrace } from "../messages/tracing.js";
import {
  type ChunkDeliveryDependencies,
  type ChunkForm,
  type Delivery,
  deliverChunk,
  record,
  redactReply,
  tellDelivered,
} from "./chunk.js";
import type { ReplyOccasion } from "./occasion.js";
import { CALLER_GONE } from "./recovered-caller.js";
import { ChunkDispatcher } from "./reply-dispatcher.js";
import type { SpokenReplies } from "./spoken-reply.js";
import { textChunks } from "./text-chunks.js";

/** Dependencies of {@link ReplyDelivery}. */
export interface ReplyDeliveryDependencies extends ChunkDeliveryDependencies {
  readonly spoken: Pick<SpokenReplies, "speakerOf">;
}

/** Hooks that may change, send or cancel a reply. */
const OUTBOUND_HOOKS = ["reply_dispatch", "before_dispatch", "message_sending"] as const;

type DispatchVerdict = HookMap["before_dispatch"]["result"];

/**
 * Delivers stored replies to their surfaces. Every outgoing message of the host passes through this class.
 */
export class ReplyDelivery {
  readonly #dependencies: ReplyDeliveryDependencies;

  /** @param dependencies - hooks, store, log, safety, timers, the signal of the host, and spoken replies */
  constructor(dependencies: ReplyDeliveryDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns true for a reply that its caller reads from the outcome of the turn and that no plugin handles.
   * Nothing is sent, so that it may be stored as delivered, in the transaction that ends the turn.
   * @param occasion - receiver of the reply, and the context of the hooks of its message
   */
  isReadByCaller({ context, caller }: Pick<ReplyOccasion, "context" | "caller">): boolean {
    if (caller.surface !== undefined || caller.hasGone === true) return false;
    const { hooks } = this.#dependencies.plugins;
    return !OUTBOUND_HOOKS.some((hook) => hooks.has(hook, context));
  }

  /**
   * Runs the outbound hooks for a stored reply, sends it to its surface and records the outcome.
   * `reply_dispatch` may deliver it, `before_dispatch` may rewrite, replace or cancel it, and each chunk
   * passes `message_sending` (TURN-047).
   * @param occasion - the reply and the message that it answers
   */
  deliver(occasion: ReplyOccasion): Promise<Delivery> {
    const { target, inboxId } = occasion.reply;
    return channelTrace.trace(
      () => ({ direction: "outbound", channel: target.channel, messageId: inboxId }),
      () => this.#deliver(occasion),
      ({ status }) => ({ outcome: status }),
    );
  }

  async #deliver(occasion: ReplyOccasion): Promise<Delivery> {
    const { reply, context, caller } = occasion;
    if (reply.state === "delivered") return tellDelivered(reply, context, this.#dependencies);
    const dispatcher = new ChunkDispatcher(reply, context, caller.surface, this.#dependencies);
    if (caller.hasGone === true) return this.#suppress(reply, CALLER_GONE);
    const dispatched = await this.#offer(occasion, dispatcher);
    if (dispatched !== undefined) return dispatched;

    const verdict = await this.#dependencies.plugins.hooks.decide(
      "before_dispatch",
      beforeDispatchEvent(occasion),
      context,
    );
    if (verdict?.cancel === true) {
      const { cancelReason } = verdict;
      const said = cancelReason === undefined ? undefined : { cancelReason };
      return this.#suppress(reply, "cancelled_by_before_dispatch_hook", said);
    }
    // A secret must be found before its text is divided.
    const content = redactReply(finalContent(reply, verdict), this.#dependencies.safety());
    if (content === "") return this.#suppress(reply, "answered_by_before_dispatch_hook");
    const hasFiles = verdict?.handled !== true && verdict?.payload?.attachments !== undefined;
    const speak = hasFiles ? undefined : this.#dependencies.spoken.speakerOf(occasion);
    // Spoken replies are one message, so only those that could also be sent as one.
    const isWhole = content.length <= (caller.surface?.textLimit ?? Number.POSITIVE_INFINITY);
    const texts = textChunks(content, caller.surface?.textLimit);
    const rows =
      texts.length === 1 && texts[0] === reply.content
        ? [reply]
        : await this.#dependencies.store.messages.outbox.divide(
            reply.id,
            texts,
            dispatcher.nextPart(),
          );
    const [whole] = rows;
    if (speak !== undefined && isWhole && whole !== undefined) {
      return await this.deliverChunk(whole, context, caller.surface, { speak });
    }
    return this.#sendAll(withAttachments(rows, verdict), occasion);
  }

  /**
   * Runs `message_sending` for a stored chunk of a reply, sends it and records the outcome.
   * @param chunk - pending row of the outbox
   * @param context - context of the hooks of the answered message
   * @param surface - shows the chunk
   * @param form - buttons, and the change of the text after the hooks
   */
  deliverChunk(
    chunk: OutboxRow,
    context: MessageContext,
    surface: ReplySurface | undefined,
    form?: ChunkForm,
  ): Promise<Delivery> {
    return deliverChunk(chunk, context, surface, this.#dependencies, form);
  }

  /** Offers the reply to `reply_dispatch`; undefined when no plugin delivers it. */
  async #offer(
    occasion: ReplyOccasion,
    dispatcher: ChunkDispatcher,
  ): Promise<Delivery | undefined> {
    const { reply, context } = occasion;
    const { plugins, signal, logger } = this.#dependencies;
    try {
      const claim = await plugins.hooks.claim("reply_dispatch", dispatchEvent(occasion), {
        ...context,
        dispatcher,
        abortSignal: signal,
      });
      if (claim?.handled !== true) return undefined;
      await this.#suppress(reply, "delivered_by_reply_dispatch_hook");
      return combine(dispatcher.deliveries);
    } catch (error) {
      // The handler is fail-closed: the host must not deliver in its place (HCR-004).
      if (!isPluginHookExecutionError(error)) throw error;
      const { code, message } = failureRecord(error);
      logger.error(message, { code, outboxId: reply.id });
      return this.#suppress(reply, "reply_dispatch_failed");
    }
  }

  async #sendAll(
    rows: readonly OutboxRow[],
    { context, caller }: ReplyOccasion,
  ): Promise<Delivery> {
    const deliveries: Delivery[] = [];
    for (const row of rows) {
      if (deliveries.at(-1)?.status === "failed") await this.#suppress(row, EARLIER_PART_FAILED);
      else deliveries.push(await this.deliverChunk(row, context, caller.surface));
    }
    return combine(deliveries);
  }

  async #suppress(row: OutboxRow, reason: string, said?: Cancellation): Promise<Delivery> {
    const { store, logger } = this.#dependencies;
    await record(row, logger, store.messages.outbox.suppressed(row.id, reason, said));
    return { status: "suppressed", reason };
  }
}

function payloadOf({ content, attachments, replyToId }: OutboxRow): ReplyPayload {
  return defined({
    text: content,
    attachments: attachments.length === 0 ? undefined : [...attachments],
    replyToId,
  });
}

function dispatchEvent({
  reply,
  context,
  inbound,
}: ReplyOccasion): HookMap["reply_dispatch"]["event"] {
  const { channel, to } = reply.target;
  const { senderId, threadId, room, body } = inbound;
  const { messageId } = context;
  const summary: InboundSummary = defined({
    channel: inbound.channel,
    from: senderId,
    senderId,
    isGroup: room !== undefined,
    body,
    messageId,
    threadId,
  });
  return {
    ctx: summary,
    payloads: [payloadOf(reply)],
    sendPolicy: "allow",
    shouldRouteToOriginating: true,
    originatingChannel: channel,
    originatingTo: to,
    inboundAudio: hasAudio(inbound),
  };
}

function beforeDispatchEvent({
  reply,
  inbound,
}: ReplyOccasion): HookMap["before_dispatch"]["event"] {
  const { content, target, sessionKey, replyToId, createdAt } = reply;
  const { senderId, room, body } = inbound;
  const { channel, to, threadId } = target;
  return defined({
    content,
    kind: "final" as const,
    channel,
    to,
    sessionKey,
    senderId,
    isGroup: room !== undefined,
    payload: payloadOf(reply),
    timestamp: createdAt,
    body,
    replyToId,
    threadId,
  });
}

/** Returns the text to send: that of the handler, possibly empty, when a hook handled the reply. */
function finalContent(reply: OutboxRow, verdict: DispatchVerdict | undefined): string {
  if (verdict?.handled === true) return verdict.text ?? "";
  return verdict?.content ?? verdict?.payload?.text ?? reply.content;
}

/** Adds the attachments of a hook to the last chunk. */
function withAttachments(
  rows: readonly OutboxRow[],
  verdict: DispatchVerdict | undefined,
): readonly OutboxRow[] {
  const attachments = verdict?.handled === true ? undefined : verdict?.payload?.attachments;
  if (attachments === undefined) return rows;
  return rows.map((row, index) => (index === rows.length - 1 ? { ...row, attachments } : row));
}

/** Combines the outcomes of the chunks into the outcome of the reply; its text is the part that was shown. */
function combine(deliveries: readonly Delivery[]): Delivery {
  const failed = deliveries.find(({ status }) => status === "failed");
  if (failed !== undefined) return failed;
  const shown = deliveries.flatMap((each) => (each.status === "delivered" ? [each.text] : []));
  const [first] = deliveries;
  if (shown.length > 0) return { status: "delivered", text: shown.join("\n") };
  return first ?? { status: "delivered", text: "" };
}
