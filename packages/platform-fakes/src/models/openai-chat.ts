import {
  checkBearer,
  checkStrictSchema,
  OPENAI_IMAGE_FORMATS,
  openAiChecker,
  openAiFailed,
  openAiRejected,
} from "./openai-errors.js";
import type { ApiResponse, FullReply, ModelServerProtocol } from "./protocol.js";
import { pieces, serverSentEvent } from "./protocol.js";
import { checkImage, checkTool, type Fields, fieldsOf, Rejection } from "./rejection.js";
import type { ModelServer, ModelServerReplySource, ModelServerRequest } from "./reply.js";
import { startModelServer } from "./server.js";
import { endedAtSequence } from "./stop-sequence.js";

/** Options of a server with the chat completions API. */
export interface ChatServerOptions {
  /** Valid key; `null` accepts requests without a key, as Ollama does. */
  readonly apiKey?: string | null;
  /** IDs that the server lists. */
  readonly models?: readonly string[];
  /** Path of the base URL; default `/v1`. OpenRouter has `/api/v1`. */
  readonly basePath?: string;
}

/**
 * Starts a server that speaks the OpenAI chat completions API: a stream of chunks, tool calls in chunks, a chunk
 * with the usage, `[DONE]`. Like the real one it rejects a wrong key, unknown parameters, images of a wrong format, and
 * a tool call without a result.
 * @param replies - one per accepted request, in order
 * @param options - key and models
 */
export function startChatServer(
  replies: readonly ModelServerReplySource[] = [],
  options: ChatServerOptions = {},
): Promise<ModelServer> {
  return startModelServer(chatProtocol(options), replies);
}

const REQUEST = {
  required: ["model", "messages"],
  optional: [
    ...[
      "stream",
      "stream_options",
      "temperature",
      "top_p",
      "presence_penalty",
      "seed",
      "stop",
      "n",
    ],
    ...["frequency_penalty", "max_tokens", "max_completion_tokens", "response_format", "tools"],
    ...["tool_choice", "parallel_tool_calls", "reasoning_effort", "user", "store", "metadata"],
    ...["logprobs", "top_logprobs", "logit_bias", "service_tier", "verbosity", "prompt_cache_key"],
  ],
};

/** Fields of a message by role. */
const MESSAGES = new Map([
  ["system", { required: ["role", "content"], optional: ["name"] }],
  ["developer", { required: ["role", "content"], optional: ["name"] }],
  ["user", { required: ["role", "content"], optional: ["name"] }],
  ["assistant", { required: ["role"], optional: ["content", "name", "refusal", "tool_calls"] }],
  ["tool", { required: ["role", "content", "tool_call_id"] }],
]);

/**
 * Returns the chat completions API.
 * @param options - key and models
 */
export function chatProtocol({
  apiKey = "test-key",
  models = ["model-a", "model-b"],
  basePath = "/v1",
}: ChatServerOptions): ModelServerProtocol {
  return {
    basePath,
    contentType: "text/event-stream",
    garbage: 'data: {"cho\u0000ices": [<<<\n\n',
    asksForReply: ({ method, path }) =>
      method === "POST" && path === `${basePath}/chat/completions`,
    respond: (request) => listResponse(request, { apiKey, models, basePath }),
    check(request) {
      checkBearer(request, apiKey ?? undefined);
      checkChatRequest(request.body);
    },
    events: chatEvents,
    errorEvent: (message) =>
      serverSentEvent(Object(openAiRejected(new Rejection(message, 503)).body)),
    rejected: openAiRejected,
    failed: openAiFailed,
  };
}

/**
 * Returns the list of models in the format of OpenAI; undefined for another request.
 * @param options - key, models and path
 */
export function listResponse(
  request: ModelServerRequest,
  { apiKey, models = [], basePath }: ChatServerOptions,
): ApiResponse | undefined {
  if (request.method !== "GET" || request.path !== `${basePath}/models`) return undefined;
  checkBearer(request, apiKey ?? undefined);
  const data = models.map((id) => ({ id, object: "model", created: 1, owned_by: "test" }));
  return { status: 200, body: { object: "list", data } };
}

function checkChatRequest(body: Fields): void {
  openAiChecker.fields(body, "", REQUEST);
  if (body.stream !== true) throw new Rejection("this server only streams");
  const messages = openAiChecker.list(body.messages, "messages");
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    checkMessage(message, `messages[${index}]`, open);
  }
  if (open.size > 0) throw unanswered(open);
  if (body.tools !== undefined) {
    for (const tool of openAiChecker.list(body.tools, "tools")) {
      const given = openAiChecker.fields(fieldsOf(tool)?.function, "tools[].function", {
        required: ["name"],
        optional: ["description", "parameters", "strict"],
      });
      checkTool(given.name, given.parameters);
    }
  } else if (body.tool_choice !== undefined) {
    throw new Rejection("'tool_choice' is only allowed when 'tools' are specified.");
  }
  const format = fieldsOf(fieldsOf(body.response_format)?.json_schema);
  if (format?.strict === true) checkStrictSchema(format.schema);
}

/** Checks a message, and that every call is followed by its result. */
function checkMessage(message: unknown, path: string, open: Set<string>): void {
  const role = String(fieldsOf(message)?.role);
  const expected = MESSAGES.get(role);
  if (expected === undefined) {
    throw new Rejection(`Invalid value: '${role}'. Supported values are: ${[...MESSAGES.keys()]}.`);
  }
  const { content, tool_calls, tool_call_id } = openAiChecker.fields(message, path, expected);
  if (role === "tool") {
    if (!open.delete(String(tool_call_id))) {
      throw new Rejection(
        "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      );
    }
    return;
  }
  if (open.size > 0) throw unanswered(open);
  if (role === "assistant" && content == null && tool_calls === undefined) {
    throw new Rejection(`Invalid value for 'content': expected a string, got null. (${path})`);
  }
  if (Array.isArray(content)) for (const part of content) checkPart(part, `${path}.content`);
  if (tool_calls === undefined) return;
  for (const call of openAiChecker.list(tool_calls, `${path}.tool_calls`)) {
    const { id, function: called } = openAiChecker.fields(call, `${path}.tool_calls`, {
      required: ["id", "type", "function"],
    });
    if (typeof id !== "string" || id.length > 40) {
      throw new Rejection(`Invalid '${path}.tool_calls.id': string too long, maximum length 40.`);
    }
    checkTool(fieldsOf(called)?.name, undefined);
    open.add(id);
  }
}

function unanswered(open: ReadonlySet<string>): Rejection {
  return new Rejection(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
  );
}

function checkPart(part: unknown, path: string): void {
  const { type, image_url } = fieldsOf(part) ?? {};
  if (type === "image_url") {
    const [, mediaType, data] =
      /^data:([^;]+);base64,(.*)$/.exec(String(fieldsOf(image_url)?.url)) ?? [];
    checkImage(mediaType, data, OPENAI_IMAGE_FORMATS);
  } else if (type !== "text" && type !== "file" && type !== "input_audio") {
    throw new Rejection(`Invalid value: '${String(type)}' at ${path}.`);
  }
}

function chatEvents(
  { text: written, thinking, toolCalls, usage, finish }: FullReply,
  { body }: ModelServerRequest,
): string[] {
  const { text } = endedAtSequence(written, body.stop);
  const chunk = (choice: object | undefined, rest: object = {}) =>
    serverSentEvent({
      id: "chatcmpl-fake",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: body.model,
      choices: choice === undefined ? [] : [{ index: 0, finish_reason: null, ...choice }],
      ...rest,
    });
  return [
    chunk({ delta: { role: "assistant", content: "" } }),
    ...pieces(thinking).map((part) => chunk({ delta: { reasoning_content: part } })),
    ...pieces(text).map((content) => chunk({ delta: { content } })),
    ...toolCalls.flatMap(({ id, name, arguments: input }, index) => [
      chunk({
        delta: { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
      }),
      ...pieces(input).map((part) =>
        chunk({ delta: { tool_calls: [{ index, function: { arguments: part } }] } }),
      ),
    ]),
    chunk({
      delta: {},
      finish_reason: finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
    }),
    chunk(undefined, {
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached },
        completion_tokens_details: { reasoning_tokens: usage.reasoning },
      },
    }),
    "data: [DONE]\n\n",
  ];
}
