import { logRejection } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AttachmentMeta, HookMap, MessageContext } from "@openclaw/plugin-sdk/hooks";
import { type OutputOptions, redactLeaks } from "@openclaw/safety";
import type { Cancellation, OutboxRow, Store } from "@openclaw/store";
import type { ConversationEvents } from "../messages/conversation-events.js";
import { failureRecord } from "../messages/failure-record.js";
import type { ReplySurface, SurfaceDelivery, SurfaceMessage } from "../messages/inbound.js";
import { childSpan } from "../messages/trace.js";
import {
  type SendAttemptDependencies,
  type SendOutcome,
  sendWithRepeats,
} from "./send-attempts.js";
import { textChunks } from "./text-chunks.js";

/** Outcome of the delivery of a reply or a chunk of one, with the text that was shown. */
export type Delivery =
  | { status: "delivered"; text: string }
  | { status: "suppressed"; reason: string }
  | { status: "failed"; error: string; code: string };

/** Dependencies of {@link deliverChunk}. */
export interface ChunkDeliveryDependencies extends SendAttemptDependencies {
  readonly store: Pick<Store, "messages" | "turns">;
  readonly plugins: Pick<PluginRuntime, "hooks">;
  readonly logger: Logger;
  /** Publishes failures to the clients of the session. */
  readonly events: Pick<ConversationEvents, "undelivered">;
  /** Returns the rules of the safety engine. */
  safety(): Pick<OutputOptions, "rules">;
}

/** Audio of a reply. */
export interface SpokenReply {
  readonly attachment: AttachmentMeta;
  /** Removes its file. */
  remove(): Promise<void>;
}

/**
 * Speaks the text of a reply after the hooks.
 * @param content - text of the reply
 * @returns undefined when it is sent as text
 */
export type Speak = (content: string) => Promise<SpokenReply | undefined>;

/** Form in which a chunk is sent. */
export interface ChunkForm {
  /**
   * Speaks the text after the hooks. The audio is then sent without a text, so that the text is its hidden transcript and
   * never a caption (HCR-018).
   */
  readonly speak?: Speak | undefined;
  /** Rows of buttons below it, for a surface that has them. */
  readonly buttons?: SurfaceMessage["buttons"] | undefined;
  /**
   * Returns the text to send instead of the text that the hooks return; by default without secrets.
   * @param content - text after the hooks
   */
  finish?(content: string): string;
}

const CANCELLED = "cancelled_by_message_sending_hook";
const EMPTIED = "emptied_by_message_sending_hook";

type SendingVerdict = HookMap["message_sending"]["result"];

/**
 * Runs `message_sending` for a stored chunk of a reply, sends the chunk to its surface and records the
 * outcome. A sent chunk cannot be taken back: when only its record fails, that is logged as an error, and the
 * next start closes the row.
 * @param chunk - pending row of the outbox
 * @param context - context of the hooks of the answered message
 * @param surface - shows the chunk
 * @param dependencies - hooks, store, log, safety and timers
 * @param form - buttons, and the change of the text after the hooks
 */
export async function deliverChunk(
  chunk: OutboxRow,
  context: MessageContext,
  surface: ReplySurface | undefined,
  { store, plugins, logger, events, safety, timers, signal }: ChunkDeliveryDependencies,
  form: ChunkForm = {},
): Promise<Delivery> {
  const { hooks } = plugins;
  const {
    messages: { outbox },
    turns: { journal },
  } = store;
  const { channel, to, threadId } = chunk.target;
  const about = { ...context, ...childSpan(context) };
  const { replyToId } = chunk;
  const verdict = await hooks.decide(
    "message_sending",
    defined({ to, channel, content: chunk.content, replyToId, threadId }),
    about,
  );
  if (verdict?.cancel === true) {
    const said = cancellation(verdict);
    await record(chunk, logger, outbox.suppressed(chunk.id, CANCELLED, said));
    return { status: "suppressed", reason: CANCELLED };
  }

  const { finish = (text) => redactReply(text, safety()) } = form;
  const content = finish(verdict?.content ?? chunk.content).toWellFormed();
  // Platforms reject a message that shows nothing.
  if (surface !== undefined && content.trim() === "" && chunk.attachments.length === 0) {
    await record(chunk, logger, outbox.suppressed(chunk.id, EMPTIED));
    return { status: "suppressed", reason: EMPTIED };
  }
  const { sessionKey } = chunk;
  const sent = defined({ to, channel, content, sessionKey, runId: context.runId });
  const told = (outcome: {
    success: boolean;
    attempts: number;
    error?: string;
    messageId?: string;
  }) => {
    const { messageId = about.messageId } = outcome;
    const seenBy = messageId === undefined ? about : { ...about, messageId };
    logRejection(hooks.observe("message_sent", { ...sent, ...outcome }, seenBy), logger);
  };
  if (surface?.deduplicates === false) {
    const step = { kind: "part-sending", outboxId: chunk.id, part: chunk.part } as const;
    await journal.append({ runId: chunk.runId, step });
  }
  const spoken = await form.speak?.(content);
  const message =
    spoken === undefined
      ? messageOf(chunk, content, surface?.hasButtons === true ? form.buttons : undefined)
      : defined({ text: "", attachments: [spoken.attachment], replyToId });
  const { id: idempotencyKey, runId, part } = chunk;
  const outcome = await sendAll(
    message,
    surface,
    { idempotencyKey, runId, part },
    { timers, signal },
  ).finally(() => spoken?.remove());
  const { attempts } = outcome;
  if ("error" in outcome) {
    const { error } = outcome;
    await record(chunk, logger, outbox.failed(chunk.id, { error, attempts }));
    logger.warn(`a reply could not be delivered to ${channel}: ${error.message}`, {
      code: error.code,
      outboxId: chunk.id,
    });
    events.undelivered(chunk, { text: content, attempts, error });
    const failed = { to, channel, content, attempts, error };
    logRejection(hooks.observe("response_error", failed, about), logger);
    told({ success: false, attempts, error: error.message });
    return { status: "failed", error: error.message, code: error.code };
  }
  await record(chunk, logger, outbox.delivered(chunk.id, outcome.receipt));
  told({ success: true, attempts, ...outcome.receipt });
  return { status: "delivered", text: content };
}

/**
 * Sends a message. A text that a hook made longer than the surface takes is divided; files and buttons are with its end.
 */
async function sendAll(
  message: SurfaceMessage,
  surface: ReplySurface | undefined,
  identity: SurfaceDelivery,
  dependencies: SendAttemptDependencies,
): Promise<SendOutcome<{ messageId?: string }>> {
  const { replyToId, text = "" } = message;
  const texts = textChunks(text, surface?.textLimit);
  const before = texts.slice(0, -1);
  let attempts = 0;
  for (const [index, above] of before.entries()) {
    const idempotencyKey = `${identity.idempotencyKey}/${index}`;
    const sent = await sendWithRepeats(
      async () =>
        await surface?.send(defined({ text: above, replyToId }), { ...identity, idempotencyKey }),
      dependencies,
    );
    attempts += sent.attempts;
    if ("error" in sent) return { ...sent, attempts };
  }
  const last = before.length === 0 ? message : { ...message, text: texts.at(-1) ?? "" };
  const outcome = await sendWithRepeats(
    async () => (await surface?.send(last, identity)) ?? {},
    dependencies,
  );
  return { ...outcome, attempts: attempts + outcome.attempts };
}

/**
 * Tells plugins of a reply that was stored as delivered.
 * @param reply - a delivered row of the outbox
 * @param context - context of the hooks of the answered message
 * @param dependencies - hooks and log
 */
export function tellDelivered(
  { target: { channel, to }, content, sessionKey }: OutboxRow,
  context: MessageContext,
  { plugins, logger }: Pick<ChunkDeliveryDependencies, "plugins" | "logger">,
): Delivery {
  const sent = { to, channel, content, attempts: 1, sessionKey, runId: context.runId };
  const about = { ...context, ...childSpan(context) };
  const event = defined({ ...sent, success: true as const });
  logRejection(plugins.hooks.observe("message_sent", event, about), logger);
  return { status: "delivered", text: content };
}

/**
 * Returns a reply without secrets (SAFE-057) and without halves of characters, which plugins may have added to it.
 * @param text - text of the reply
 * @param options - rules of the safety engine
 */
export function redactReply(text: string, { rules }: Pick<OutputOptions, "rules">): string {
  return redactLeaks(text, { context: "output", ...defined({ rules }) }).text.toWellFormed();
}

/** Returns the cancellation by the hook in a form that can be stored. */
function cancellation({ cancelReason, metadata }: SendingVerdict): Cancellation {
  return JSON.parse(JSON.stringify({ cancelReason, metadata })) as Cancellation;
}

function messageOf(
  { attachments, replyToId }: OutboxRow,
  text: string,
  buttons: ChunkForm["buttons"],
): SurfaceMessage {
  return defined({
    text,
    attachments: attachments.length === 0 ? undefined : [...attachments],
    replyToId,
    buttons,
  });
}

/**
 * Waits for the record of a delivery. A failure is only logged, because the delivery has happened.
 * @param row - delivered chunk
 * @param logger - receives a failure
 * @param written - promise of the record
 */
export async function record(
  { id: outboxId }: OutboxRow,
  logger: Logger,
  written: Promise<unknown>,
): Promise<void> {
  try {
    await written;
  } catch (error) {
    const { code, message } = failureRecord(error);
    logger.error(`the outcome of a delivery could not be stored: ${message}`, { code, outboxId });
  }
}
