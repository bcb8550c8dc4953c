import { type Static, Type } from "typebox";
import type { OpenClawOutcome } from "./outcome.js";
import {
  functionDefinitionSchema,
  jsonFormatSchema,
  metadataSchema,
  nullable,
  reasoningEffortSchema,
} from "./schema.js";

const text = Type.Object({ type: Type.Literal("text"), text: Type.String() });
const refusal = Type.Object({ type: Type.Literal("refusal"), refusal: Type.String() });
const image = Type.Object({
  type: Type.Literal("image_url"),
  image_url: Type.Object({ url: Type.String() }),
});
const file = Type.Object({
  type: Type.Literal("file"),
  file: Type.Object({
    file_data: nullable(Type.String()),
    file_id: nullable(Type.String()),
    filename: nullable(Type.String()),
  }),
});

const toolCall = Type.Object({
  id: Type.String(),
  type: Type.Literal("function"),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});

/** Message of a chat completion request; unknown fields of newer clients are accepted. */
export const chatCompletionMessageSchema = Type.Union([
  Type.Object({
    role: Type.Union([Type.Literal("system"), Type.Literal("developer")]),
    content: Type.Union([Type.String(), Type.Array(text)]),
  }),
  Type.Object({
    role: Type.Literal("user"),
    content: Type.Union([Type.String(), Type.Array(Type.Union([text, image, file]))]),
  }),
  Type.Object({
    role: Type.Literal("assistant"),
    content: nullable(Type.Union([Type.String(), Type.Array(Type.Union([text, refusal]))])),
    tool_calls: nullable(Type.Array(toolCall)),
  }),
  Type.Object({
    role: Type.Literal("tool"),
    tool_call_id: Type.String(),
    content: Type.Union([Type.String(), Type.Array(text)]),
  }),
]);

const tool = Type.Object({ type: Type.Literal("function"), function: functionDefinitionSchema });

const toolChoice = Type.Union([
  Type.Literal("auto"),
  Type.Literal("none"),
  Type.Literal("required"),
  Type.Object({
    type: Type.Literal("function"),
    function: Type.Object({ name: Type.String() }),
  }),
]);

const responseFormat = Type.Union([
  Type.Object({ type: Type.Literal("text") }),
  Type.Object({ type: Type.Literal("json_object") }),
  Type.Object({ type: Type.Literal("json_schema"), json_schema: jsonFormatSchema }),
]);

/** Body of `POST /v1/chat/completions`: the parameters that the gateway forwards or uses. */
export const chatCompletionRequestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(chatCompletionMessageSchema, { minItems: 1 }),
  stream: nullable(Type.Boolean()),
  stream_options: nullable(
    Type.Object({ include_usage: nullable(Type.Boolean()) }, { additionalProperties: false }),
  ),
  user: nullable(Type.String()),
  metadata: nullable(metadataSchema),
  tools: nullable(Type.Array(tool, { maxItems: 128 })),
  tool_choice: nullable(toolChoice),
  parallel_tool_calls: nullable(Type.Boolean()),
  response_format: nullable(responseFormat),
  temperature: nullable(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  presence_penalty: nullable(Type.Number({ minimum: -2, maximum: 2 })),
  frequency_penalty: nullable(Type.Number({ minimum: -2, maximum: 2 })),
  seed: nullable(Type.Integer()),
  stop: nullable(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 4 })])),
  max_tokens: nullable(Type.Integer({ minimum: 1 })),
  max_completion_tokens: nullable(Type.Integer({ minimum: 1 })),
  reasoning_effort: nullable(reasoningEffortSchema),
});

/** Message of a chat completion request. */
export type ChatCompletionMessage = Static<typeof chatCompletionMessageSchema>;

/** Body of `POST /v1/chat/completions`. */
export type ChatCompletionRequest = Static<typeof chatCompletionRequestSchema>;

/** Reason why a completion ended, as defined by that API. */
export type ChatCompletionFinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** Token usage of a completion. */
export interface ChatCompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Absent when the provider does not report it. */
  prompt_tokens_details?: { cached_tokens: number };
  /** Absent when the provider does not report it. */
  completion_tokens_details?: { reasoning_tokens: number };
}

/** Call of a function that the client has to run. */
export interface ChatCompletionToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** Response to a request without `stream`. */
export interface ChatCompletion {
  id: string;
  object: "chat.completion";
  /** Seconds since the epoch. */
  created: number;
  model: string;
  choices: {
    index: 0;
    message: {
      role: "assistant";
      content: string | null;
      /** Reasoning before the answer, in the field of the servers that return it in this API. */
      reasoning_content?: string;
      refusal: null;
      tool_calls?: ChatCompletionToolCall[];
    };
    logprobs: null;
    finish_reason: ChatCompletionFinishReason;
  }[];
  usage: ChatCompletionUsage;
  openclaw_outcome?: OpenClawOutcome;
}

/** Server-sent event of a response with `stream: true`. */
export interface ChatCompletionChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: {
    index: 0;
    delta: {
      role?: "assistant";
      content?: string;
      reasoning_content?: string;
      tool_calls?: (ChatCompletionToolCall & { index: number })[];
    };
    logprobs: null;
    finish_reason: ChatCompletionFinishReason | null;
  }[];
  usage?: ChatCompletionUsage | null;
  /** Present on the last chunk with a choice. */
  openclaw_outcome?: OpenClawOutcome;
}

/** Body of every error response below `/v1`. */
export interface ApiErrorBody {
  error: { message: string; type: string; param: string | null; code: string | null };
}
