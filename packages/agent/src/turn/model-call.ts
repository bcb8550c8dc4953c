import { randomUUID } from "node:crypto";
import { defined, sha256 } from "@openclaw/foundation";
import {
  type MalformedToolCall,
  ModelAbortedError,
  type ModelRequest,
  ModelTimeoutError,
  type ModelToolCall,
  type ResolvedModel,
  streamModel,
} from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { AgentContext, HookMap } from "@openclaw/plugin-sdk/hooks";
import {
  type AssistantMessage,
  type JsonObject,
  messageText,
  type ThinkingPart,
  type Usage,
} from "@openclaw/plugin-sdk/tools";
import { createLeakGuard, type OutputOptions } from "@openclaw/safety";
import { AWAIT_FAIL_CLOSED } from "../context/hook-context.js";
import { isSuspended } from "../context/suspension.js";
import type { RunningTurn } from "../context/turn.js";
import { HistoryFold } from "../conversation/history-fold.js";
import {
  type JournalDependencies,
  journalFailure,
  journalReply,
  journalRequest,
} from "../journal/journal.js";
import { type ModelReply, recordedFailure, recordedReply } from "../journal/model-reply.js";
import type { ResumeState } from "../journal/resume-state.js";
import type { RequestPurpose } from "../journal/steps.js";
import { logRejection } from "../observation.js";
import { modelTrace } from "../tracing.js";
import { type ModelStreams, observedEvents } from "./model-stream.js";
import type { DigestedRequest } from "./request-digest.js";

/** Replies of the models of a recorded run, which a replay uses instead of asking models (TURN-057). */
export interface RecordedReplies {
  /**
   * Returns the reply to the request that was journaled last.
   * @param model - the model that would be asked
   * @throws the recorded failure where there was no reply
   */
  reply(model: ResolvedModel): Promise<ModelReply>;
}

/** Dependencies of {@link callModel}. */
export interface ModelCallDependencies extends JournalDependencies {
  readonly logger: Logger;
  /** Observes the events of models; nothing does by default. */
  readonly modelStreams?: ModelStreams | undefined;
  /** Rules of the safety engine, `safety`, for secrets in previews. */
  readonly safety: Pick<OutputOptions, "rules">;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly resumeState: Pick<ResumeState, "takeReply">;
  /** In a replay, the replies that models gave when the run was recorded. */
  readonly recordedReplies?: RecordedReplies | undefined;
}

/** Input of one model call. */
export interface ModelCallInput {
  readonly model: ResolvedModel;
  readonly request: Omit<ModelRequest, "system" | "signal"> & {
    readonly system: string;
  };
  /** The user's text as sent, with what hooks added. */
  readonly prompt: string;
  readonly purpose: RequestPurpose;
  /** False keeps text from being shown before the outbound hooks have seen it (HCR-013). */
  readonly preview: boolean;
  /** Returns the digest that identifies the request in the journal. */
  digest(request: DigestedRequest): string;
}

/** The partial reply so far. */
interface Draft {
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

/**
 * Calls the model once and collects its reply. Fires `llm_input`, `model_call_started`,
 * `model_call_ended` and, after output, `llm_output`, in this order (TURN-027). For an interrupted reply,
 * returns the text received, with the stop reason `interrupted` (TURN-053). Returns a recorded reply
 * without calling a model or firing hooks (TURN-054).
 * @param turn - the running turn
 * @param input - model and request
 * @throws ModelRequestError when the reply is incomplete, or interrupted before any text
 */
export async function callModel(
  turn: RunningTurn<ModelCallDependencies>,
  input: ModelCallInput,
): Promise<ModelReply> {
  const { resumeState, logger, now, recordedReplies } = turn.dependencies;
  const earlier = resumeState.takeReply(input.purpose);
  if (earlier?.kind === "reply") return recordedReply(earlier.step);
  if (earlier?.kind === "failure") throw recordedFailure(earlier.step, input.model);
  const context = turn.state.hookContext;
  const { hooks } = turn.pin;
  const { runId, sessionId, sessionKey } = turn.request;
  const { provider, modelId } = input.model;
  const identity = { runId, provider, model: modelId };
  const call = { ...identity, callId: randomUUID(), ...contextWindow(context) };

  await hooks.observe(
    "llm_input",
    { ...identity, sessionId, ...inputFields(input) },
    context,
    AWAIT_FAIL_CLOSED,
  );
  await hooks.observe("model_call_started", call, context, AWAIT_FAIL_CLOSED);
  const draft: Draft = {
    text: "",
    signedThinking: [],
    thinking: "",
    firstAt: undefined,
    responseId: undefined,
    continuation: undefined,
  };
  const startedAt = performance.now();
  const ended = (end: ModelCallEnd) => {
    const { firstAt, responseId } = draft;
    const event = {
      ...call,
      durationMs: Math.round(performance.now() - startedAt),
      ...defined({
        timeToFirstByteMs: firstAt === undefined ? undefined : Math.round(firstAt - startedAt),
        upstreamRequestIdHash: responseId === undefined ? undefined : hashOf(responseId),
      }),
      ...end,
    };
    return hooks.observe("model_call_ended", event, context, AWAIT_FAIL_CLOSED);
  };

  let reply: ModelReply;
  try {
    const { messages } = input.request;
    await journalRequest(turn, {
      callId: call.callId,
      model: input.model.ref,
      digest: input.digest(input.request),
      messageCount: messages.length,
      ...defined({ purpose: input.purpose === "summary" ? input.purpose : undefined }),
    });
    reply =
      recordedReplies === undefined
        ? await modelTrace.trace(
            () => ({ runId, sessionKey, provider, model: modelId, purpose: input.purpose }),
            () => gatherReply(turn, input, { draft, callId: call.callId }),
            endOfReply,
          )
        : await recordedReplies.reply(input.model);
    await journalReply(turn, call.callId, reply);
  } catch (error) {
    // Not awaited: the turn fails with the failure of the model, not with that of an observer.
    logRejection(ended(failedEnd(error)), logger);
    await journalFailure(turn, call.callId, error);
    const { signal } = turn.request;
    // The partial reply is not kept: the model is called again when the turn resumes.
    if (!signal.aborted || isSuspended(signal) || draft.text === "") throw error;
    return { message: replyMessage(input, draft, "interrupted", now()), usage: {}, calls: [] };
  }
  await ended({ outcome: "completed" });
  const { message, usage } = reply;
  if (message.content.length > 0) {
    const output = { assistantTexts: [messageText(message)], lastAssistant: message, usage };
    await hooks.observe(
      "llm_output",
      { ...identity, sessionId, ...output },
      context,
      AWAIT_FAIL_CLOSED,
    );
  }
  return reply;
}

function endOfReply({ message, usage }: ModelReply) {
  const { stopReason } = message;
  return { stopReason, inputTokens: usage.input, outputTokens: usage.output };
}

function contextWindow(context: AgentContext) {
  const { contextTokenBudget, contextWindowSource, contextWindowReferenceTokens } = context;
  return defined({ contextTokenBudget, contextWindowSource, contextWindowReferenceTokens });
}

/** Returns a hash that lets telemetry correlate calls but is useless to query the provider. */
function hashOf(responseId: string): string {
  return sha256(responseId);
}

type ModelCallEnd = Pick<
  HookMap["model_call_ended"]["event"],
  "outcome" | "errorCategory" | "failureKind"
>;

function failedEnd(error: unknown): ModelCallEnd {
  const errorCategory = OpenClawError.isInstance(error) ? error.code : "UNEXPECTED";
  if (ModelAbortedError.isInstance(error)) {
    return { outcome: "error", errorCategory, failureKind: "aborted" };
  }
  if (ModelTimeoutError.isInstance(error)) {
    return { outcome: "error", errorCategory, failureKind: "timeout" };
  }
  return { outcome: "error", errorCategory };
}

async function gatherReply(
  turn: RunningTurn<Pick<ModelCallDependencies, "now" | "safety" | "modelStreams">>,
  input: ModelCallInput,
  { draft, callId }: { readonly draft: Draft; readonly callId: string },
): Promise<ModelReply> {
  const { request, dependencies } = turn;
  const { runId, sessionKey, signal } = request;
  const { rules } = dependencies.safety;
  const previews = { text: createLeakGuard({ rules }), thinking: createLeakGuard({ rules }) };
  const show = (type: "text" | "thinking", delta: string) => {
    if (delta !== "") request.onEvent({ type, delta });
  };
  const preview = (type: "text" | "thinking", delta: string) => {
    if (input.preview) show(type, previews[type].push(delta));
  };
  const calls: (ModelToolCall | MalformedToolCall)[] = [];
  let stopReason: AssistantMessage["stopReason"] = "other";
  let usage: Usage = {};
  const { model, modelId, provider } = input.model;
  const events = streamModel(model, { ...input.request, signal });
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
        ({ stopReason, usage } = event);
        draft.responseId = event.responseId;
        draft.continuation = event.continuation;
        break;
    }
  }
  show("thinking", previews.thinking.flush());
  show("text", previews.text.flush());
  const message = replyMessage(input, draft, stopReason, dependencies.now());
  for (const call of calls) {
    const { toolCallId, toolName } = call;
    const params = "params" in call ? call.params : call.rawParams;
    const { providerData } = "params" in call ? call : {};
    const part = { type: "toolCall" as const, toolCallId, toolName, params };
    message.content.push({ ...part, ...defined({ providerData }) });
  }
  const { continuation } = draft;
  return { message: { ...message, usage, ...defined({ continuation }) }, usage, calls };
}

function replyMessage(
  { model }: ModelCallInput,
  { text, signedThinking, thinking }: Draft,
  stopReason: AssistantMessage["stopReason"],
  timestamp: number,
): AssistantMessage {
  const content: AssistantMessage["content"] = [...signedThinking];
  if (thinking !== "") content.push({ type: "thinking", text: thinking });
  if (text !== "") content.push({ type: "text", text });
  return {
    role: "assistant",
    content,
    provider: model.provider,
    model: model.modelId,
    stopReason,
    timestamp,
  };
}

const images = new HistoryFold<number>({
  start: () => 0,
  add(count, { content }) {
    let added = 0;
    for (const part of content) if (part.type === "image") added += 1;
    return count + added;
  },
  copy: (count) => count,
});

function inputFields({ request, prompt }: ModelCallInput) {
  // At first the prompt is the newest message; after tool calls it is part of the history.
  const isFirst = request.messages.at(-1)?.role === "user";
  return {
    prompt,
    historyMessages: request.messages.slice(0, isFirst ? -1 : undefined),
    imagesCount: images.of(request.messages),
    tools: request.tools.map(({ name, description }) => ({ name, description })),
    systemPrompt: request.system,
  };
}
