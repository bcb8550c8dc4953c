import { createHash } from "node:crypto";
import type { OpenAIProvider } from "@ai-sdk/openai";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";

type ResponsesModel = ReturnType<OpenAIProvider["responses"]>;
type CallOptions = Parameters<ResponsesModel["doStream"]>[0];
type Prompt = CallOptions["prompt"];
type StreamPart =
  Awaited<ReturnType<ResponsesModel["doStream"]>>["stream"] extends ReadableStream<infer Part>
    ? Part
    : never;

/** Key of the host for the data with which a provider continues after a reply. */
const CONTINUATION = "continuation";

/** Reply that a request continues after. */
interface Previous {
  readonly responseId: string;
  /** Position of the reply in the prompt. */
  readonly index: number;
}

/**
 * Continues after the last response that the server stored, and sends only the messages that follow it (LLM-007). The
 * host keeps the ID with the reply in the conversation, so that the chain continues after a restart. It begins again
 * where the conversation before that reply has changed, or the server no longer has the response.
 * @param model - model of the Responses API
 */
export function chainedResponses(model: ResponsesModel): ResponsesModel {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      const previous = previousResponse(options.prompt);
      const { stream, ...result } = await send(model, options, previous);
      const digest = digestOf(options.prompt);
      return { ...result, stream: stream.pipeThrough(withContinuation(digest)) };
    },
  };
}

async function send(model: ResponsesModel, options: CallOptions, previous: Previous | undefined) {
  if (previous === undefined) return await model.doStream(chained(options, undefined));
  try {
    return await model.doStream(chained(options, previous));
  } catch (error) {
    if (!isUnknownResponse(error)) throw error;
    return await model.doStream(chained(options, undefined));
  }
}

/** Returns the last reply with an ID, if the conversation before it is the one that led to it. */
function previousResponse(prompt: Prompt): Previous | undefined {
  const index = prompt.findLastIndex(({ providerOptions }) => providerOptions?.[CONTINUATION]);
  const { responseId, digest } = prompt[index]?.providerOptions?.[CONTINUATION] ?? {};
  if (typeof responseId !== "string" || digest !== digestOf(prompt.slice(0, index))) {
    return undefined;
  }
  return { responseId, index };
}

function chained(options: CallOptions, previous: Previous | undefined): CallOptions {
  const { prompt } = options;
  const system = prompt.flatMap((message) => (message.role === "system" ? [message.content] : []));
  const rest = previous === undefined ? prompt.map(withoutItems) : prompt.slice(previous.index + 1);
  return {
    ...options,
    prompt: rest.filter(({ role }) => role !== "system"),
    providerOptions: {
      ...options.providerOptions,
      openai: {
        ...options.providerOptions?.openai,
        // A stored response does not include the instructions of its request.
        ...defined({
          instructions: system.length === 0 ? undefined : system.join("\n\n"),
          previousResponseId: previous?.responseId,
        }),
      },
    },
  };
}

/** Removes the IDs of stored items, which the library would send instead of their content. */
function withoutItems(message: Prompt[number]): Prompt[number] {
  if (message.role !== "assistant") return message;
  const content = message.content
    .filter(({ type }) => type !== "reasoning")
    .map((part) => {
      const { providerOptions: _, ...rest } = part;
      return rest;
    });
  return { role: "assistant", content };
}

/** Returns a digest of the conversation; the system prompt may change from turn to turn. */
function digestOf(prompt: Prompt): string {
  const conversation = prompt.filter(({ role }) => role !== "system");
  return createHash("sha256").update(JSON.stringify(conversation)).digest("hex");
}

function withContinuation(digest: string): TransformStream<StreamPart, StreamPart> {
  let responseId: string | undefined;
  return new TransformStream({
    transform(part, controller) {
      if (part.type === "response-metadata") responseId = part.id ?? responseId;
      if (part.type !== "finish" || responseId === undefined) return controller.enqueue(part);
      const providerMetadata = {
        ...part.providerMetadata,
        [CONTINUATION]: { responseId, digest },
      };
      controller.enqueue({ ...part, providerMetadata });
    },
  });
}

function isUnknownResponse(error: unknown): boolean {
  const { code } = Object(Object(Object(error).data).error);
  return code === "previous_response_not_found";
}
