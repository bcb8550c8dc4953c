import { randomUUID } from "node:crypto";
import { sha256 } from "@openclaw/foundation";
import {
  type MalformedToolCall,
  ModelAbortedError,
  type ModelRequest,
  ModelTimeoutError,
  type ModelToolCall,
  type ResolvedModel,
  streamModel,
} from "@openclaw/models";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import { type AssistantMessage, messageText, type Usage } from "@openclaw/plugin-sdk/tools";
import { type TurnScope, UNAWAITED } from "../context/scope.js";
import { isSuspended } from "../context/suspension.js";
import { journalFailure, journalReply, journalRequest } from "../journal/journal.js";
import { recordedFailure, recordedReply } from "../journal/model-reply.js";
import type { RequestPurpose } from "../journal/steps.js";
import { unawaited } from "../observation.js";
import type { DigestedRequest } from "./request-digest.js";

/** What one model call brought. */
export interface ModelReply {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly calls: readonly (ModelToolCall | MalformedToolCall)[];
}

/** What one model call is given. */
export interface ModelCallInput {
  readonly model: ResolvedModel;
  readonly request: Pick<ModelRequest, "messages" | "tools" | "maxOutputTokens" | "temperature"> & {
    readonly system: string;
  };
  /** The user's text as sent, with what hooks added. */
  readonly prompt: string;
  readonly purpose: RequestPurpose;
  /** False keeps text from being shown before the outbound hooks have seen it (HCR-013). */
  readonly preview: boolean;
  /** Names the request in the journal. */
  digest(request: DigestedRequest): string;
}

/** What came of a reply so far. */
interface Draft {
  text: string;
  thinking: string;
  /** Reading of the monotonic clock when the first of it came. */
  firstAt: number | undefined;
  /** The provider's own id of the reply. */
  responseId: string | undefined;
}

/**
 * Asks the model once and gathers its reply. Fires `llm_input`, `model_call_started`,
 * `model_call_ended` and, after output, `llm_output`, in this order (TURN-027). Of an interrupted reply
 * it gives the text that came, with the stop reason `interrupted` (TURN-053). A reply that came before is
 * given as it was: no model is asked for it again, and no hook told (TURN-054).
 * @param turn - the running turn
 * @param input - model and request
 * @throws ModelRequestError when no whole reply came, and nothing of an interrupted one
 */
export async function callModel(turn: TurnScope, input: ModelCallInput): Promise<ModelReply> {
  const earlier = turn.record.takeReply(input.purpose);
  if (earlier?.kind === "reply") return recordedReply(earlier.step);
  if (earlier?.kind === "failure") throw recordedFailure(earlier.step, input.model);
  const { context } = turn;
  const { hooks } = turn.pin;
  const { runId, sessionId } = turn.request;
  const { provider, modelId } = input.model;
  const identity = { runId, provider, model: modelId };
  const call = { ...identity, callId: randomUUID(), ...contextWindow(turn) };

  await hooks.observe(
    "llm_input",
    { ...identity, sessionId, ...inputFields(input) },
    context,
    UNAWAITED,
  );
  await hooks.observe("model_call_started", call, context, UNAWAITED);
  const draft: Draft = { text: "", thinking: "", firstAt: undefined, responseId: undefined };
  const startedAt = performance.now();
  const ended = (end: ModelCallEnd) => {
    const { firstAt, responseId } = draft;
    const event = {
      ...call,
      durationMs: Math.round(performance.now() - startedAt),
      ...(firstAt === undefined ? {} : { timeToFirstByteMs: Math.round(firstAt - startedAt) }),
      ...(responseId === undefined ? {} : { upstreamRequestIdHash: hashOf(responseId) }),
      ...end,
    };
    return hooks.observe("model_call_ended", event, context, UNAWAITED);
  };

  let reply: ModelReply;
  try {
    const { messages } = input.request;
    await journalRequest(turn, {
      callId: call.callId,
      model: input.model.ref,
      digest: input.digest(input.request),
      messageCount: messages.length,
      ...(input.purpose === "summary" ? { purpose: input.purpose } : {}),
    });
    const { recordedAnswers } = turn.services;
    reply =
      recordedAnswers === undefined
        ? await gatherReply(turn, input, draft)
        : await recordedAnswers.reply(input.model);
    await journalReply(turn, call.callId, reply);
  } catch (error) {
    // Not waited for: the model's failure is what the turn fails with, whatever an observer does.
    unawaited(ended(failedEnd(error)), turn.services.logger);
    await journalFailure(turn, call.callId, error);
    const { signal } = turn.request;
    // What had come of it is not kept: it is asked for anew when the turn goes on.
    if (!signal.aborted || isSuspended(signal) || draft.text === "") throw error;
    return { message: replyMessage(turn, input, draft, "interrupted"), usage: {}, calls: [] };
  }
  await ended({ outcome: "completed" });
  const { message, usage } = reply;
  if (message.content.length > 0) {
    const output = { assistantTexts: [messageText(message)], lastAssistant: message, usage };
    await hooks.observe("llm_output", { ...identity, sessionId, ...output }, context, UNAWAITED);
  }
  return reply;
}

function contextWindow({ context }: TurnScope) {
  const { contextTokenBudget, contextWindowSource, contextWindowReferenceTokens } = context;
  return {
    ...(contextTokenBudget === undefined ? {} : { contextTokenBudget }),
    ...(contextWindowSource === undefined ? {} : { contextWindowSource }),
    ...(contextWindowReferenceTokens === undefined ? {} : { contextWindowReferenceTokens }),
  };
}

/** Telemetry may join calls by it, and can ask the provider nothing with it. */
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
  turn: TurnScope,
  input: ModelCallInput,
  draft: Draft,
): Promise<ModelReply> {
  const { request } = turn;
  const { signal } = request;
  const calls: (ModelToolCall | MalformedToolCall)[] = [];
  let stopReason: AssistantMessage["stopReason"] = "other";
  let usage: Usage = {};
  for await (const event of streamModel(input.model.model, { ...input.request, signal })) {
    draft.firstAt ??= performance.now();
    switch (event.type) {
      case "text":
        draft.text += event.delta;
        if (input.preview) request.onEvent({ type: "text", delta: event.delta });
        break;
      case "thinking":
        draft.thinking += event.delta;
        break;
      case "tool-call":
        calls.push(event.call);
        break;
      case "finish":
        ({ stopReason, usage } = event);
        draft.responseId = event.responseId;
        break;
    }
  }
  const message = replyMessage(turn, input, draft, stopReason);
  for (const call of calls) {
    const { toolCallId, toolName } = call;
    const params = "params" in call ? call.params : call.rawParams;
    message.content.push({ type: "toolCall", toolCallId, toolName, params });
  }
  return { message: { ...message, usage }, usage, calls };
}

function replyMessage(
  { services }: TurnScope,
  { model }: ModelCallInput,
  { text, thinking }: Draft,
  stopReason: AssistantMessage["stopReason"],
): AssistantMessage {
  const content: AssistantMessage["content"] = [];
  if (thinking !== "") content.push({ type: "thinking", text: thinking });
  if (text !== "") content.push({ type: "text", text });
  return {
    role: "assistant",
    content,
    provider: model.provider,
    model: model.modelId,
    stopReason,
    timestamp: services.now(),
  };
}

function inputFields({ request, prompt }: ModelCallInput) {
  const images = request.messages.flatMap(({ content }) =>
    content.filter((part) => part.type === "image"),
  );
  // At first the prompt is the newest message; after tool calls it is part of the history.
  const isFirst = request.messages.at(-1)?.role === "user";
  return {
    prompt,
    historyMessages: request.messages.slice(0, isFirst ? -1 : undefined),
    imagesCount: images.length,
    tools: request.tools.map(({ name, description }) => ({ name, description })),
    systemPrompt: request.system,
  };
}
