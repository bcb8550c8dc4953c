import type { Caller, InboundMessage, ReplyOutcome } from "@openclaw/messaging";
import { APPROVER_HEADER, approvalEvent } from "@openclaw/protocol";
import type { Context } from "hono";
import { ApprovalWatch, approvalNotice } from "./approval-watch.js";
import { isFailure, type OpenAiFailure, requestFailure } from "./error.js";
import type { EventStream } from "./event-stream.js";
import { exchange } from "./exchange.js";
import type { OpenAiHost } from "./host.js";
import { failureOf, partsOf, reasoningOf, textOf } from "./outcome.js";
import { BETWEEN_PARTS, ShownText, type TextChunk } from "./shown-text.js";

/** A message of a request, and how its turn depends on the client. */
export interface RequestedMessage {
  readonly message: InboundMessage & { readonly sessionKey: string };
  /** True when the turn continues after its client has disconnected (GW-038). */
  readonly isStored: boolean;
}

/** Reply to a request without a stream: an outcome, or the notice that the turn waits for an approval. */
export type AwaitedReply =
  | { readonly status: "ended"; readonly result: ReplyOutcome | OpenAiFailure }
  | { readonly status: "waiting"; readonly messageId: string; readonly notice: string };

/**
 * Waits for the reply to a message. A turn that waits for an approval for too long continues without its
 * client (GW-036).
 * @param context - context of the request
 * @param requested - the message
 * @param host - processes the message
 * @param events - called when the message is stored, and with the result, also after a response
 */
export async function awaitReply(
  context: Context,
  { message, isStored }: RequestedMessage,
  host: OpenAiHost,
  events: Pick<Caller, "onStored"> & { onEnd?(result: ReplyOutcome | OpenAiFailure): void } = {},
): Promise<AwaitedReply> {
  using watch = new ApprovalWatch(host);
  const disconnected = new AbortController();
  const { signal } = context.req.raw;
  const disconnect = () => disconnected.abort(signal.reason);
  if (!isStored) signal.addEventListener("abort", disconnect, { once: true });
  if (!isStored && signal.aborted) disconnect();
  let messageId = "";
  let stopWaiting: (reply: AwaitedReply) => void = () => {};
  const waiting = new Promise<AwaitedReply>((resolve) => {
    stopWaiting = resolve;
  });
  const result = exchange(
    message,
    {
      signal: disconnected.signal,
      onStored(id) {
        messageId = id;
        events.onStored?.(id);
      },
      onEvent(event) {
        watch.giveUpOn(event.type === "paused" ? event.approvalId : undefined, (approval) => {
          const notice = approvalNotice(approval, message.sessionKey);
          stopWaiting({ status: "waiting", messageId, notice });
        });
      },
    },
    host,
  );
  const ended = result.then((each) => {
    events.onEnd?.(each);
    return { status: "ended", result: each } as const;
  });
  try {
    const reply = await Promise.race([ended, waiting]);
    if (reply.status === "waiting") {
      ended.catch((error: unknown) => requestFailure(error, host.logger));
    }
    return reply;
  } finally {
    signal.removeEventListener("abort", disconnect);
  }
}

/** Events that a route sends in a stream. */
export interface StreamedReply {
  readonly stream: EventStream;
  /** Called when the message is stored, before any text. */
  onStored?(messageId: string): void | Promise<void>;
  /** Called with the outcome's message before the rest of the text, also for a repeat that was not stored. */
  begin?(messageId: string): void;
  /**
   * Called when a part of the reply is complete, at the latest before the text of a further one; without it, a
   * blank line separates the parts.
   */
  endPart?(): void;
  /**
   * Sends the last events; all text of the reply was sent.
   * @param outcome - outcome without an error
   */
  end(outcome: ReplyOutcome): void | Promise<void>;
  /** Sends the events of a failure. */
  fail(failure: OpenAiFailure): void | Promise<void>;
}

/**
 * Streams the reply to a message. The response begins once the message is stored, because a status of 200
 * acknowledges it (TURN-001).
 * @param context - context of the request
 * @param requested - the message
 * @param host - processes the message
 * @param reply - sends the events
 * @returns the failure of a message that was not processed; undefined when the stream has begun
 */
export async function streamReply(
  context: Context,
  { message, isStored }: RequestedMessage,
  host: OpenAiHost,
  reply: StreamedReply,
): Promise<OpenAiFailure | undefined> {
  const { stream } = reply;
  const watch = new ApprovalWatch(host);
  const shown = { text: new ShownText(), reasoning: new ShownText() };
  const showText = ({ text, startsPart }: TextChunk) => {
    if (startsPart && reply.endPart !== undefined) reply.endPart();
    else if (startsPart) return stream.text(BETWEEN_PARTS + text);
    stream.text(text);
  };
  const showReasoning = ({ text, startsPart }: TextChunk) =>
    stream.text(startsPart ? BETWEEN_PARTS + text : text, "reasoning");
  let begun = Promise.resolve();
  let begin = () => {};
  const stored = new Promise<undefined>((resolve) => {
    begin = () => resolve(undefined);
  });
  const result = exchange(
    message,
    {
      signal: isStored ? undefined : context.req.raw.signal,
      onStored(messageId) {
        begun = Promise.resolve(reply.onStored?.(messageId));
        // Awaited below; a failure of the message itself comes first.
        begun.catch(() => undefined);
        begin();
      },
      onEvent(event) {
        watch.commentOn(event.type === "paused" ? event.approvalId : undefined, (text) =>
          stream.comment(text),
        );
        if (event.type === "model-waiting") {
          const [waited, limit] = [event.waitedMs, event.limitMs].map((ms) =>
            Math.round(ms / 1000),
          );
          stream.comment(`${event.model} has not answered for ${waited} s, at most ${limit} s`);
        }
        if (event.type === "text") showText(shown.text.add(event.delta));
        else if (event.type === "thinking") showReasoning(shown.reasoning.add(event.delta));
        else {
          shown.text.endPart();
          shown.reasoning.endPart();
          if (event.type === "tool-started") reply.endPart?.();
        }
      },
      onNotice: (text) => stream.comment(text),
      onApproval:
        context.req.header(APPROVER_HEADER) === undefined
          ? undefined
          : (approval) => stream.event(JSON.stringify(approval), approvalEvent.name),
    },
    host,
  );
  const unstored = await Promise.race([stored, result]);
  if (unstored !== undefined && isFailure(unstored)) return unstored;
  const failure = unstored && failureOf(unstored);
  if (failure !== undefined) return failure;
  await begun;
  const finish = async () => {
    const ended = await result;
    if (isFailure(ended)) return await reply.fail(ended);
    const late = failureOf(ended);
    if (late !== undefined) return await reply.fail(late);
    reply.begin?.(ended.messageId);
    const reasoning = reasoningOf(ended);
    if (reasoning !== undefined) shown.reasoning.rest(reasoning).forEach(showReasoning);
    shown.text.rest(textOf(ended), partsOf(ended)).forEach(showText);
    await reply.end(ended);
  };
  finish()
    .catch((error: unknown) => reply.fail(requestFailure(error, host.logger)))
    .finally(() => {
      watch[Symbol.dispose]();
      stream.end();
    });
  return undefined;
}
