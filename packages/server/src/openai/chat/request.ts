import { defined } from "@openclaw/foundation";
import type { ClientRequest } from "@openclaw/messaging";
import type { ImagePart, TextPart } from "@openclaw/plugin-sdk/tools";
import {
  type ChatCompletionMessage,
  type ChatCompletionRequest,
  chatCompletionRequestSchema,
} from "@openclaw/protocol/openai";
import {
  assistantMessage,
  type ConversationEntry,
  type RequestedConversation,
  readImage,
  toolResult,
  userMessage,
} from "../conversation.js";
import { invalid, isFailure, type OpenAiFailure } from "../error.js";
import { given, HARMLESS_PARAMETERS, type ParameterRules } from "../parameters.js";

/** Parameters of chat completions that are not supported, and the values with which they change nothing. */
export const CHAT_PARAMETERS: ParameterRules = {
  supported: new Set(Object.keys(chatCompletionRequestSchema.properties)),
  harmless: {
    ...HARMLESS_PARAMETERS,
    n: ["1"],
    logprobs: ["false"],
    logit_bias: ["{}"],
    store: ["false"],
    modalities: ['["text"]'],
  },
};

/**
 * Reads the messages of a chat completion request: instructions are added to the system prompt of this turn,
 * earlier messages replace the stored history (GW-035).
 * @param messages - messages, at least one
 * @param now - timestamp of the messages, milliseconds since the epoch
 */
export function readMessages(
  messages: readonly ChatCompletionMessage[],
  now: number,
): RequestedConversation | OpenAiFailure {
  const instructions: string[] = [];
  const entries: ConversationEntry[] = [];
  for (const [index, message] of messages.entries()) {
    const entry = readMessage(message, `messages[${index}]`, now);
    if (typeof entry === "string") instructions.push(entry);
    else if (isFailure(entry)) return entry;
    else entries.push(entry);
  }
  return {
    instructions: instructions.length === 0 ? undefined : instructions.join("\n\n"),
    entries,
  };
}

/**
 * Returns the model settings of a request.
 * @param request - valid request
 */
export function readSettings(
  request: ChatCompletionRequest,
): NonNullable<ClientRequest["settings"]> | OpenAiFailure {
  const { max_tokens, max_completion_tokens, stop } = request;
  const isAmbiguous =
    given(max_tokens) !== undefined &&
    given(max_completion_tokens) !== undefined &&
    max_tokens !== max_completion_tokens;
  if (isAmbiguous) {
    const message = "`max_tokens` and `max_completion_tokens` differ; send only one of them";
    return invalid("invalid_request", message, "max_tokens");
  }
  return defined({
    temperature: given(request.temperature),
    topP: given(request.top_p),
    presencePenalty: given(request.presence_penalty),
    frequencyPenalty: given(request.frequency_penalty),
    seed: given(request.seed),
    stopSequences: typeof stop === "string" ? [stop] : given(stop),
    maxOutputTokens: given(max_completion_tokens) ?? given(max_tokens),
    responseFormat: readFormat(given(request.response_format)),
  });
}

function readFormat(format: NonNullable<ChatCompletionRequest["response_format"]> | undefined) {
  if (format === undefined || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json" as const };
  const { name, description, schema } = format.json_schema;
  return {
    type: "json" as const,
    name,
    ...defined({ description: given(description), schema: given(schema) }),
  };
}

/** Returns an entry of the conversation, or the text of an instruction. */
function readMessage(
  message: ChatCompletionMessage,
  place: string,
  now: number,
): ConversationEntry | OpenAiFailure | string {
  switch (message.role) {
    case "system":
    case "developer":
      return plainText(message.content);
    case "user": {
      const parts = readParts(message.content, place);
      return isFailure(parts) ? parts : userMessage(parts, now);
    }
    case "assistant": {
      const calls = (message.tool_calls ?? []).map(({ id, function: called }) => ({
        id,
        name: called.name,
        arguments: called.arguments,
      }));
      return assistantMessage(plainText(message.content ?? ""), calls, now);
    }
    case "tool": {
      const content: TextPart[] = [{ type: "text", text: plainText(message.content) }];
      return toolResult(message.tool_call_id, content, now);
    }
  }
}

type UserContent = Extract<ChatCompletionMessage, { role: "user" }>["content"];

function readParts(content: UserContent, place: string): (TextPart | ImagePart)[] | OpenAiFailure {
  if (typeof content === "string") return [{ type: "text", text: content }];
  const parts: (TextPart | ImagePart)[] = [];
  for (const [index, part] of content.entries()) {
    const read =
      part.type === "text"
        ? { type: part.type, text: part.text }
        : readImage(part.image_url.url, `${place}.content[${index}].image_url.url`);
    if ("status" in read) return read;
    parts.push(read);
  }
  return parts;
}

type TextContent =
  | string
  | readonly (
      | { readonly type: "text"; readonly text: string }
      | { readonly type: "refusal"; readonly refusal: string }
    )[];

function plainText(content: TextContent): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : part.refusal)).join("\n");
}
