import { setTimeout as delay } from "node:timers/promises";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { defined, waitUnlessAborted } from "@openclaw/foundation";
import type { Usage } from "@openclaw/plugin-sdk/tools";
import type { ScriptFailure, ScriptStep, ScriptToolCall } from "./script-step.js";

/** Names of a step model and the source of its replies. */
export interface StepModelOptions {
  provider: string;
  modelId: string;
  /** Returns the reply to a request. */
  step(request: LanguageModelV4CallOptions): ScriptStep | Promise<ScriptStep>;
}

/**
 * Creates a model that replies with steps instead of calling a server. Like a real model, it streams only as
 * fast as it is read, and stops when its signal aborts.
 * @param options - names and replies of the model
 */
export function createStepModel(options: StepModelOptions): LanguageModelV4 {
  const { provider, modelId } = options;
  const start = async (request: LanguageModelV4CallOptions) => {
    request.abortSignal?.throwIfAborted();
    const step = await options.step(request);
    if (step.delayMs !== undefined) {
      await delay(step.delayMs, undefined, { signal: request.abortSignal });
    }
    if (step.waitFor !== undefined) await settled(step.waitFor, request.abortSignal);
    if (step.error !== undefined && step.breakAfter === undefined) throw failure(step.error);
    return stepParts(step, request, modelId);
  };
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    async doStream(request) {
      return { stream: ReadableStream.from(await start(request)) };
    },
    async doGenerate(request) {
      return collect(await start(request));
    },
  };
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

async function* stepParts(
  step: ScriptStep,
  request: LanguageModelV4CallOptions,
  modelId: string,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const turn = request.prompt.filter(({ role }) => role === "assistant").length + 1;
  let wordsLeft = step.breakAfter ?? Number.POSITIVE_INFINITY;
  yield { type: "stream-start", warnings: [] };
  yield { type: "response-metadata", id: `reply-${turn}`, modelId };
  for (const [kind, text] of [
    ["reasoning", step.thinking],
    ["text", step.text],
  ] as const) {
    if (text === undefined || text === "") continue;
    yield { type: `${kind}-start`, id: kind };
    for (const delta of words(text)) {
      if (wordsLeft === 0) break;
      wordsLeft -= 1;
      request.abortSignal?.throwIfAborted();
      yield { type: `${kind}-delta`, id: kind, delta };
    }
    if (wordsLeft === 0) break;
    yield { type: `${kind}-end`, id: kind };
  }
  request.abortSignal?.throwIfAborted();
  if (step.breakAfter !== undefined) {
    if (step.error !== undefined) throw failure(step.error);
    return;
  }
  yield* toolCallParts(step.toolCalls ?? [], callsSoFar(request));
  yield finishPart(step);
}

function* toolCallParts(
  calls: readonly ScriptToolCall[],
  before: number,
): Generator<LanguageModelV4StreamPart> {
  for (const [index, call] of calls.entries()) {
    const { toolName } = call;
    const id = call.toolCallId ?? `call-${before + index + 1}`;
    const input = call.rawParams ?? JSON.stringify(call.params ?? {});
    yield { type: "tool-input-start", id, toolName };
    yield { type: "tool-input-delta", id, delta: input };
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName, input };
  }
}

function finishPart({ finish, toolCalls, usage }: ScriptStep): FinishPart {
  const unified = finish ?? ((toolCalls?.length ?? 0) > 0 ? "tool-calls" : "stop");
  return {
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: specificationUsage(usage ?? {}),
  };
}

function callsSoFar({ prompt }: LanguageModelV4CallOptions): number {
  let calls = 0;
  for (const message of prompt) {
    if (message.role !== "assistant") continue;
    calls += message.content.filter(({ type }) => type === "tool-call").length;
  }
  return calls;
}

/** Splits a text into chunks of one word and the blanks after it. */
function words(text: string): string[] {
  return text.split(/(?<=\s)(?=\S)/);
}

function specificationUsage(usage: Usage): LanguageModelV4Usage {
  return {
    inputTokens: {
      total: usage.input,
      noCache: undefined,
      cacheRead: usage.cacheRead,
      cacheWrite: usage.cacheWrite,
    },
    outputTokens: { total: usage.output, text: undefined, reasoning: usage.reasoning },
  };
}

async function collect(parts: AsyncIterable<LanguageModelV4StreamPart>) {
  const content: LanguageModelV4Content[] = [];
  let finish: FinishPart | undefined;
  let id: string | undefined;
  for await (const part of parts) {
    const last = content.at(-1);
    if (part.type === "text-start") content.push({ type: "text", text: "" });
    else if (part.type === "reasoning-start") content.push({ type: "reasoning", text: "" });
    else if (part.type === "text-delta" || part.type === "reasoning-delta") {
      if (last?.type === "text" || last?.type === "reasoning") last.text += part.delta;
    } else if (part.type === "tool-call") content.push(part);
    else if (part.type === "response-metadata") id = part.id;
    else if (part.type === "finish") finish = part;
  }
  if (finish === undefined) throw new Error("the reply broke off before its finish");
  const { finishReason, usage } = finish;
  const response = id === undefined ? undefined : { id };
  return defined({ content, finishReason, usage, warnings: [], response });
}

/** Converts a failure of a script to the error that a provider package would throw for it. */
function failure(error: Error | ScriptFailure): Error {
  if (error instanceof Error) return error;
  const { status, message, retryAfterMs } = error;
  const responseHeaders =
    retryAfterMs === undefined ? undefined : { "retry-after-ms": String(retryAfterMs) };
  return Object.assign(new Error(message), defined({ statusCode: status, responseHeaders }));
}

async function settled(awaited: PromiseLike<unknown>, signal: AbortSignal | undefined) {
  return signal === undefined ? awaited : waitUnlessAborted(signal, async () => awaited);
}
