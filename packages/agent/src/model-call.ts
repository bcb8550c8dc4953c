import { randomUUID } from "node:crypto";
import {
  type MalformedToolCall,
  type ModelRequest,
  type ModelToolCall,
  type ResolvedModel,
  streamModel,
} from "@openclaw/models";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { type AssistantMessage, messageText, type Usage } from "@openclaw/plugin-sdk/tools";
import { unawaited } from "./observation.js";
import { type TurnScope, UNAWAITED } from "./turn-scope.js";

/** What one model call brought. */
export interface ModelReply {
  readonly message: AssistantMessage;
  readonly usage: Usage;
  readonly calls: readonly (ModelToolCall | MalformedToolCall)[];
}

/** What one model call is given. */
export interface ModelCallInput {
  readonly model: ResolvedModel;
  readonly request: Pick<ModelRequest, "messages" | "tools"> & { readonly system: string };
  /** The user's text as sent, with what hooks added. */
  readonly prompt: string;
  /** False keeps text from being shown before the outbound hooks have seen it (HCR-013). */
  readonly preview: boolean;
}

/**
 * Asks the model once and gathers its reply. Fires `llm_input`, `model_call_started`,
 * `model_call_ended` and, after output, `llm_output`, in this order (TURN-027).
 * @param turn - the running turn
 * @param input - model and request
 * @throws ModelRequestError when no whole reply came
 */
export async function callModel(turn: TurnScope, input: ModelCallInput): Promise<ModelReply> {
  const { context } = turn;
  const { hooks } = turn.pin;
  const { runId, sessionId } = turn.request;
  const { provider, modelId } = input.model;
  const identity = { runId, provider, model: modelId };
  const call = { ...identity, callId: randomUUID() };

  await hooks.observe(
    "llm_input",
    { ...identity, sessionId, ...inputFields(input) },
    context,
    UNAWAITED,
  );
  await hooks.observe("model_call_started", call, context, UNAWAITED);
  const startedAt = performance.now();
  const ended = (outcome: "completed" | "error", errorCategory?: string) =>
    hooks.observe(
      "model_call_ended",
      {
        ...call,
        durationMs: Math.round(performance.now() - startedAt),
        outcome,
        ...(errorCategory === undefined ? {} : { errorCategory }),
      },
      context,
      UNAWAITED,
    );

  let reply: ModelReply;
  try {
    reply = await gatherReply(turn, input);
  } catch (error) {
    // Not waited for: the model's failure is what the turn fails with, whatever an observer does.
    const category = OpenClawError.isInstance(error) ? error.code : "UNEXPECTED";
    unawaited(ended("error", category), turn.services.logger);
    throw error;
  }
  await ended("completed");
  const { message, usage } = reply;
  if (message.content.length > 0) {
    const output = { assistantTexts: [messageText(message)], lastAssistant: message, usage };
    await hooks.observe("llm_output", { ...identity, sessionId, ...output }, context, UNAWAITED);
  }
  return reply;
}

async function gatherReply(
  { request, services }: TurnScope,
  { model, request: modelRequest, preview }: ModelCallInput,
): Promise<ModelReply> {
  const calls: (ModelToolCall | MalformedToolCall)[] = [];
  let text = "";
  let thinking = "";
  let stopReason: AssistantMessage["stopReason"] = "other";
  let usage: Usage = {};
  const { signal } = request;
  for await (const event of streamModel(model.model, { ...modelRequest, signal })) {
    switch (event.type) {
      case "text":
        text += event.delta;
        if (preview) request.onEvent({ type: "text", delta: event.delta });
        break;
      case "thinking":
        thinking += event.delta;
        break;
      case "tool-call":
        calls.push(event.call);
        break;
      case "finish":
        ({ stopReason, usage } = event);
        break;
    }
  }
  const content: AssistantMessage["content"] = [];
  if (thinking !== "") content.push({ type: "thinking", text: thinking });
  if (text !== "") content.push({ type: "text", text });
  for (const call of calls) {
    const params = "params" in call ? call.params : call.rawParams;
    content.push({
      type: "toolCall",
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      params,
    });
  }
  const message: AssistantMessage = {
    role: "assistant",
    content,
    provider: model.provider,
    model: model.modelId,
    stopReason,
    timestamp: services.now(),
    usage,
  };
  return { message, usage, calls };
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
