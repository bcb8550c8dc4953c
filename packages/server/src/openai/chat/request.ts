import { defined } from "@openclaw/foundation";
import type { ClientRequest } from "@openclaw/messaging";
import type { TextPart } from "@openclaw/plugin-sdk/tools";
import {
  type ChatCompletionMessage,
  type ChatCompletionRequest,
  chatCompletionRequestSchema,
} from "@openclaw/protocol/openai";
import type { ContentReader, RequestedPart } from "../content.js";
import {
  assistantMessage,
  type ConversationEntry,
  type RequestedConversation,
  toolResult,
  userMessage,
} from "../conversation.js";
import { invalid, isFailure, type OpenAiFailure } from "../error.js";
import {
  DEFAULT_VALUES,
  given,
  IGNORED_NAMES,
  type ParameterRules,
  replyFormat,
} from "../parameters.js";

/** Parameters of chat completions. */
export const CHAT_PARAMETERS: ParameterRules = {
  supported: new Set(Object.keys(chatCompletionRequestSchema.properties)),
  defaults: {
    ...DEFAULT_VALUES,
    n: ["1"],
    logprobs: ["false"],
    logit_bias: ["{}"],
    store: ["false"],
    modalities: ['["text"]'],
  },
  // The store is the platform's own, a prediction only makes a reply faster, and a search is an offer to the model.
  ignored: { names: [...IGNORED_NAMES, "prediction", "store", "verbosity", "web_search_options"] },
};

/**
 * Reads the messages of a chat completion request: instructions are added to the system prompt of this turn,
 * earlier messages replace the stored history (GW-035).
 * @param messages - messages, at least one
 * @param reader - reads images and files
 * @param now - timestamp of the messages, milliseconds since the epoch
 */
export async function readMessages(
  messages: readonly ChatCompletionMessage[],
  reader: ContentReader,
  now: number,
): Promise<RequestedConversation | OpenAiFailure> {
  const instructions: string[] = [];
  const entries: ConversationEntry[] = [];
  for (const [index, message] of messages.entries()) {
    const entry = await readMessage(message, `messages[${index}]`, reader, now);
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
    reasoning: given(request.reasoning_effort),
  });
}

function readFormat(format: NonNullable<ChatCompletionRequest["response_format"]> | undefined) {
  if (format?.type !== "json_schema") return replyFormat(format);
  return replyFormat({ type: format.type, ...format.json_schema });
}

/** Returns an entry of the conversation, or the text of an instruction. */
async function readMessage(
  message: ChatCompletionMessage,
  place: string,
  reader: ContentReader,
  now: number,
): Promise<ConversationEntry | OpenAiFailure | string> {
  switch (message.role) {
    case "system":
    case "developer":
      return plainText(message.content);
    case "user": {
      const content = await reader.read(requestedParts(message.content, place));
      return isFailure(content) ? content : userMessage(content, now);
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

function requestedParts(content: UserContent, place: string): readonly RequestedPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part, index) => requestedPart(part, `${place}.content[${index}]`));
}

function requestedPart(part: Exclude<UserContent, string>[number], param: string): RequestedPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image_url":
      return { type: "image", url: part.image_url.url, param: `${param}.image_url.url` };
    case "file": {
      const { file_data, filename } = part.file;
      return { type: "file", source: given(file_data), name: given(filename), param };
    }
  }
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
