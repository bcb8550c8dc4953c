import { setImmediate as nextRound } from "node:timers/promises";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4ToolChoice,
} from "@ai-sdk/provider";
import { defined, waitUnlessAborted, wellFormed } from "@openclaw/foundation";
import type { AssistantMessage } from "@openclaw/plugin-sdk/tools";
import { InvalidToolSchemaError } from "../errors.js";
import { ProtocolTagFilter } from "../reply/protocol-tags.js";
import {
  ModelInvalidResponseError,
  ModelReplyTooLargeError,
  ModelRequestFailedError,
} from "./errors.js";
import type { ModelEvent } from "./event.js";
import { type RequestedModel, requestFailure } from "./failure.js";
import { ObservedEvents } from "./observed-events.js";
import { modelPrompt } from "./prompt.js";
import { withPromptCache } from "./prompt-cache.js";
import { CONTINUATION, providerData } from "./provider-data.js";
import type { ModelRequest, ModelToolChoice } from "./request.js";
import { structuredOutputOptions } from "./response-format.js";
import { isReasoningPart, SignedReasoning } from "./signed-reasoning.js";
import { createToolCallReader } from "./tool-call-reader.js";
import { functionTools } from "./tool-input-schema.js";
import { modelUsage } from "./usage.js";

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/**
 * Maximum number of characters of text, thinking and arguments in one reply; many times the size of real
 * replies.
 */
const MOST_REPLY_CHARACTERS = 16_000_000;

/** Observer of a response. */
export interface ResponseObserver {
  /** Called when the first part of the response arrives, whatever it contains. */
  onResponse(): void;
}

/**
 * Sends a request to a model and yields its reply event by event. The next part is read when the next event
 * is requested, so a slow reader slows the server down; leaving the loop or aborting the signal ends the HTTP
 * request (LLM-035). Tools are never run here, and parts that a transcript cannot contain (warnings, sources,
 * generated files, calls that a provider ran itself) are skipped.
 * @param model - model of the catalog, or any converted model
 * @param request - conversation, tools and limits
 * @returns events that end with `finish`
 * @throws ModelRequestError (one of its subclasses) for every way a request fails, after the events that
 * came before the failure
 * @throws InvalidToolSchemaError before anything is sent
 */
export function streamModel(
  model: LanguageModelV4,
  request: ModelRequest,
  observer?: ResponseObserver,
): AsyncGenerator<ModelEvent, void, undefined> {
  const stop = new AbortController();
  const { signal } = request;
  const forward = () => stop.abort(signal?.reason);
  const start = () => {
    const options = callOptions(model, request, stop.signal);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", forward, { once: true });
    return unlessStopped(model.doStream(options), stop.signal);
  };
  const events = readEvents(model, request, start, { stopped: stop.signal, observer });
  return new ObservedEvents(events, {
    onError: (error) =>
      InvalidToolSchemaError.isInstance(error) ? error : requestFailure(error, model, signal),
    onEnd(how) {
      signal?.removeEventListener("abort", forward);
      // Nothing is left to end after the whole stream was read; an abort would make an error with a stack.
      if (how !== "complete") stop.abort();
    },
  });
}

/** Number of stream parts that are processed before other work gets a turn. */
const PARTS_AT_ONCE = 64;

async function* readEvents(
  model: LanguageModelV4,
  request: ModelRequest,
  start: () => Promise<LanguageModelV4StreamResult>,
  { stopped, observer }: { stopped: AbortSignal; observer: ResponseObserver | undefined },
): AsyncGenerator<ModelEvent, void, undefined> {
  const result = await start();
  const reader = result.stream.getReader();
  // Cancelling also settles a pending read, even of a provider that ignores its signal.
  const cancel = () => void reader.cancel().catch(() => {});
  stopped.addEventListener("abort", cancel, { once: true });
  if (stopped.aborted) cancel();
  const readToolCall = createToolCallReader(request.messages);
  const signed = new SignedReasoning();
  const tags = new ProtocolTagFilter({ onlyLeading: request.responseFormat?.type === "json" });
  let finish: FinishPart | undefined;
  let responseId: string | undefined;
  let calls = 0;
  let room = MOST_REPLY_CHARACTERS;
  for (let parts = 1; ; parts += 1) {
    // A provider may have many parts ready at once; other work runs in between.
    if (parts % PARTS_AT_ONCE === 0) await nextRound();
    let part: LanguageModelV4StreamPart;
    try {
      const { done, value } = await reader.read();
      if (done) break;
      part = value;
    } catch (error) {
      // An error after the finish part does not affect the reply, which is already complete.
      if (finish === undefined) throw error;
      break;
    }
    // Adapters start every stream with this part before the server has responded.
    if (part.type !== "stream-start") observer?.onResponse();
    room -= lengthOf(part);
    if (room < 0) {
      const detail = `more than ${MOST_REPLY_CHARACTERS} characters`;
      throw new ModelReplyTooLargeError({
        provider: model.provider,
        model: model.modelId,
        detail,
      });
    }
    if (part.type === "text-delta") {
      const delta = tags.push(part.delta);
      if (delta !== "") yield { type: "text", delta };
    } else if (part.type === "text-end") {
      // What follows may be a call, which must not overtake the text.
      const delta = tags.flush();
      if (delta !== "") yield { type: "text", delta };
    } else if (part.type === "reasoning-delta" && part.delta !== "") {
      signed.read(part);
      yield { type: "thinking", delta: part.delta };
    } else if (isReasoningPart(part)) {
      const ended = signed.read(part);
      if (ended !== undefined) yield { type: "thinking-signed", ...ended };
    } else if (part.type === "tool-call" && part.providerExecuted !== true) {
      calls += 1;
      const call = readToolCall(part);
      if (call !== undefined) yield { type: "tool-call", call };
    } else if (part.type === "response-metadata") {
      responseId = part.id ?? responseId;
    } else if (part.type === "finish") {
      finish = part;
    } else if (part.type === "error") {
      throw part.error;
    }
  }
  stopped.throwIfAborted();
  const rest = tags.flush();
  if (rest !== "") yield { type: "text", delta: rest };
  const stopReason = replyStopReason(model, finish, calls, result.response?.headers);
  const usage = finish === undefined ? {} : modelUsage(finish.usage);
  const continuation = providerData(finish?.providerMetadata?.[CONTINUATION]);
  const stopSequence = matchedStopSequence(finish?.providerMetadata);
  yield {
    type: "finish",
    stopReason,
    usage,
    responseId,
    ...defined({ continuation, stopSequence }),
  };
}

/** Returns the stop sequence at which a reply ended, which Anthropic and Bedrock tell. */
function matchedStopSequence(metadata: FinishPart["providerMetadata"]): string | undefined {
  return Object.values(metadata ?? {})
    .map(({ stopSequence }) => stopSequence)
    .find((sequence) => typeof sequence === "string");
}

/** Returns the number of characters of a part that are kept until the reply ends, or shown. */
function lengthOf(part: LanguageModelV4StreamPart): number {
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta":
      return part.delta.length;
    case "tool-call":
      return part.input.length;
    default:
      return 0;
  }
}

function replyStopReason(
  model: LanguageModelV4,
  finish: FinishPart | undefined,
  calls: number,
  headers: Record<string, string> | undefined,
): AssistantMessage["stopReason"] {
  const failure = { provider: model.provider, model: model.modelId };
  const reason = finish?.finishReason.unified;
  if (reason === undefined || reason === "interrupted") {
    const contentType = headers?.["content-type"] ?? "";
    const hint = /event-stream|^$/.test(contentType) ? "" : `, and it was of type ${contentType}`;
    const detail = `the stream ended before the model had finished${hint}`;
    throw new ModelInvalidResponseError({ ...failure, detail });
  }
  const raw = finish?.finishReason.raw;
  // Servers with chat completions report a failure of the model under this name, which libraries do not know.
  if (reason === "error" || (reason === "other" && raw === "error")) {
    const detail = `the model stopped with an error${raw === undefined ? "" : ` called ${raw}`}`;
    throw new ModelRequestFailedError({ ...failure, detail }, true);
  }
  // Servers give different reasons next to calls; the streamed calls decide.
  if (calls > 0 && (reason === "stop" || reason === "other")) return "tool-calls";
  if (calls === 0 && reason === "tool-calls") return "other";
  return reason;
}

/**
 * Returns a request in the form of the specification.
 * @param model - model that receives it
 * @param request - conversation, tools and settings
 * @param abortSignal - signal that ends the request
 */
export function callOptions(
  model: RequestedModel,
  request: ModelRequest,
  abortSignal?: AbortSignal,
): LanguageModelV4CallOptions {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty } = request;
  const { seed, stopSequences, maxOutputTokens, responseFormat, reasoning } = request;
  const { promptCache } = request;
  const options: LanguageModelV4CallOptions = {
    prompt: withPromptCache(modelPrompt(request.system, request.messages, model), promptCache),
    ...defined({
      abortSignal,
      temperature,
      topP,
      topK,
      presencePenalty,
      frequencyPenalty,
      seed,
      stopSequences: wellFormed(stopSequences),
      maxOutputTokens,
      responseFormat: wellFormed(responseFormat),
      reasoning,
      providerOptions: providerOptions(request),
    }),
  };
  if (request.tools.length > 0) {
    options.tools = functionTools(request.tools);
    options.toolChoice = toolChoice(request.toolChoice ?? "auto");
  }
  return options;
}

/** Returns options by provider; libraries ignore those of others. */
function providerOptions({ responseFormat, runId }: ModelRequest) {
  const format = structuredOutputOptions(responseFormat);
  return runId === undefined ? format : { ...format, openclaw: { runId } };
}

function toolChoice(choice: ModelToolChoice): LanguageModelV4ToolChoice {
  return typeof choice === "string"
    ? { type: choice }
    : { type: "tool", toolName: choice.toolName };
}

/** Waits for a stream until the signal aborts, even if the provider ignores its signal. */
async function unlessStopped(
  pending: PromiseLike<LanguageModelV4StreamResult>,
  stopped: AbortSignal,
): Promise<LanguageModelV4StreamResult> {
  const started = Promise.resolve(pending);
  try {
    return await waitUnlessAborted(stopped, () => started);
  } catch (error) {
    if (stopped.aborted) started.then(({ stream }) => stream.cancel()).catch(() => {});
    throw error;
  }
}
