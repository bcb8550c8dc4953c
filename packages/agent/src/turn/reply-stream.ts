import { defined, wellFormed } from "@openclaw/foundation";
import type { MalformedToolCall, ModelEvent, ModelToolCall, ResolvedModel } from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AssistantMessage, JsonObject, ThinkingPart, Usage } from "@openclaw/plugin-sdk/tools";
import type { OutputOptions } from "@openclaw/safety";
import type { RunningTurn } from "../context/turn.js";
import type { ModelReply } from "../journal/model-reply.js";
import { BETWEEN_PARTS } from "../reply/parts.js";
import { type ModelStreams, observedEvents } from "./model-stream.js";
import { type OpenPreviews, PreviewedText, VisibleStart } from "./reply-preview.js";

/** Dependencies of {@link gatherReply}. */
export interface ReplyStreamDependencies {
  /** Observes the events of models; nothing does by default. */
  readonly modelStreams?: ModelStreams | undefined;
  /** Rules of the safety engine, `safety`, for secrets in previews. */
  readonly safety: Pick<OutputOptions, "rules">;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** The partial reply so far. */
export interface Draft {
  text: string;
  /** Parts of the reasoning that the provider signed. */
  signedThinking: ThinkingPart[];
  /** Reasoning after these parts. */
  thinking: string;
  /** Monotonic time of the first chunk. */
  firstAt: number | undefined;
  /** The provider's own id of the reply. */
  responseId: string | undefined;
  /** Data by which the provider continues after the reply. */
  continuation: JsonObject | undefined;
}

/** Returns a draft without any text. */
export function emptyDraft(): Draft {
  const none = { firstAt: undefined, responseId: undefined, continuation: undefined };
  return { text: "", signedThinking: [], thinking: "", ...none };
}

/** The stream of one reply. */
export interface ReplyStream {
  readonly model: ResolvedModel;
  readonly callId: string;
  readonly events: AsyncIterable<ModelEvent>;
  /** Receives the reply as it arrives. */
  readonly draft: Draft;
  /** Opens the filters of the text that is shown before the outbound hooks have seen it (HCR-013). */
  readonly previews: OpenPreviews;
}

/**
 * Collects the reply of a model from its events, and shows it as it arrives.
 * @param stream - the events, and where the reply is collected
 * @throws ModelRequestError when the reply is incomplete; the draft then has its beginning
 */
export async function gatherReply(
  turn: RunningTurn<ReplyStreamDependencies>,
  { model, callId, events, draft, previews: open }: ReplyStream,
): Promise<ModelReply> {
  const { request, dependencies, state } = turn;
  const { runId, sessionKey } = request;
  const { safety, logger } = dependencies;
  const onFailure = (problem: string) =>
    logger.warn(`the rest of a reply is shown when it is complete: ${problem}`, {
      ...{ code: "REPLY_PREVIEW_FAILED", runId },
    });
  const previewed = () => new PreviewedText(open, { safety, onFailure });
  const previews = { text: previewed(), thinking: previewed() };
  const start = new VisibleStart(state.hasShownText ? BETWEEN_PARTS : "");
  const show = (type: "text" | "thinking", delta: string) => {
    const shown = type === "text" ? start.push(delta) : delta;
    if (shown === "") return;
    if (type === "text") state.hasShownText = true;
    request.onEvent({ type, delta: shown });
  };
  const preview = (type: "text" | "thinking", delta: string) => {
    show(type, previews[type].push(delta));
  };
  const calls: (ModelToolCall | MalformedToolCall)[] = [];
  let stopReason: AssistantMessage["stopReason"] = "other";
  let stopSequence: string | undefined;
  let delivered: true | undefined;
  let usage: Usage = {};
  const { modelId, provider } = model;
  const identity = { runId, sessionKey, callId, provider, model: modelId };
  const observed = dependencies.modelStreams?.open(identity);
  for await (const event of observedEvents(events, observed)) {
    draft.firstAt ??= performance.now();
    switch (event.type) {
      case "text":
        draft.text += event.delta;
        // The guard holds back the end of the reasoning, which precedes the text.
        show("thinking", previews.thinking.flush());
        preview("text", event.delta);
        break;
      case "thinking":
        draft.thinking += event.delta;
        preview("thinking", event.delta);
        break;
      case "thinking-signed": {
        const { text, providerData } = event;
        draft.signedThinking.push({ type: "thinking", text, providerData });
        draft.thinking = "";
        break;
      }
      case "tool-call":
        calls.push(event.call);
        break;
      case "finish":
        ({ stopReason, stopSequence, delivered, usage } = event);
        draft.text = event.text ?? draft.text;
        draft.responseId = event.responseId;
        draft.continuation = event.continuation;
        break;
    }
  }
  show("thinking", previews.thinking.flush());
  show("text", previews.text.flush());
  if (calls.length > 0) state.hasShownText = false;
  const message = replyMessage(model, draft, stopReason, dependencies.now());
  for (const call of calls) {
    const { toolCallId, toolName } = call;
    const params = "params" in call ? call.params : call.rawParams;
    const { providerData } = "params" in call ? call : {};
    const part = { type: "toolCall" as const, toolCallId, toolName, params };
    message.content.push({ ...part, ...defined({ providerData }) });
  }
  const { continuation } = draft;
  const further = defined({ continuation, stopSequence, delivered });
  return { message: { ...message, usage, ...further }, usage, calls };
}

/**
 * Returns the message of a reply.
 * @param model - model that wrote it
 * @param draft - the reply so far
 * @param stopReason - reason why it ended
 * @param timestamp - milliseconds since the epoch
 */
export function replyMessage(
  { provider, modelId }: Pick<ResolvedModel, "provider" | "modelId">,
  { text, signedThinking, thinking }: Draft,
  stopReason: AssistantMessage["stopReason"],
  timestamp: number,
): AssistantMessage {
  const content: AssistantMessage["content"] = [...signedThinking];
  if (thinking !== "") content.push({ type: "thinking", text: thinking });
  if (text !== "") content.push({ type: "text", text });
  return {
    role: "assistant",
    // Providers may split a character over chunks, so that only the whole text can be repaired.
    content: wellFormed(content),
    provider,
    model: modelId,
    stopReason,
    timestamp,
  };
}
