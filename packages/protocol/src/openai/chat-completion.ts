import { type Static, Type } from "typebox";

const text = Type.Object({ type: Type.Literal("text"), text: Type.String() });
const image = Type.Object({
  type: Type.Literal("image_url"),
  image_url: Type.Object({ url: Type.String() }),
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
    content: Type.Union([Type.String(), Type.Array(Type.Union([text, image]))]),
  }),
  Type.Object({
    role: Type.Literal("assistant"),
    content: Type.Optional(Type.Union([Type.String(), Type.Null(), Type.Array(text)])),
    tool_calls: Type.Optional(Type.Array(toolCall)),
  }),
  Type.Object({
    role: Type.Literal("tool"),
    tool_call_id: Type.String(),
    content: Type.Union([Type.String(), Type.Array(text)]),
  }),
]);

/** Body of `POST /v1/chat/completions`: the fields that the gateway reads. */
export const chatCompletionRequestSchema = Type.Object({
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(chatCompletionMessageSchema, { minItems: 1 }),
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  stream_options: Type.Optional(
    Type.Union([Type.Object({ include_usage: Type.Optional(Type.Boolean()) }), Type.Null()]),
  ),
  user: Type.Optional(Type.String()),
  tools: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
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
    message: { role: "assistant"; content: string; refusal: null };
    logprobs: null;
    finish_reason: ChatCompletionFinishReason;
  }[];
  usage: ChatCompletionUsage;
}

/** Server-sent event of a response with `stream: true`. */
export interface ChatCompletionChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: {
    index: 0;
    delta: { role?: "assistant"; content?: string };
    logprobs: null;
    finish_reason: ChatCompletionFinishReason | null;
  }[];
  usage?: ChatCompletionUsage | null;
}

/** Body of every error response below `/v1`. */
export interface ApiErrorBody {
  error: { message: string; type: string; param: string | null; code: string | null };
}
