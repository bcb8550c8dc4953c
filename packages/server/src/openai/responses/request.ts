import { defined } from "@openclaw/foundation";
import type { ClientRequest } from "@openclaw/messaging";
import type { ThinkingPart } from "@openclaw/plugin-sdk/tools";
import { type ResponseRequest, responseRequestSchema } from "@openclaw/protocol/openai";
import type { ContentReader, MessageContent, RequestedPart } from "../content.js";
import {
  assistantMessage,
  type ConversationEntry,
  type RequestedConversation,
  toolResult,
  userMessage,
} from "../conversation.js";
import { isFailure, type OpenAiFailure } from "../error.js";
import {
  DEFAULT_VALUES,
  given,
  IGNORED_NAMES,
  type ParameterRules,
  replyFormat,
} from "../parameters.js";
import { encryptedPart } from "./encrypted-reasoning.js";

/** Parameters of responses. */
export const RESPONSE_PARAMETERS: ParameterRules = {
  supported: new Set(Object.keys(responseRequestSchema.properties)),
  defaults: {
    ...DEFAULT_VALUES,
    background: ["false"],
    stream_options: ["{}"],
    truncation: ['"disabled"'],
    "reasoning.summary": ['"auto"'],
  },
  ignored: {
    names: [
      ...IGNORED_NAMES,
      // The gateway shortens long conversations itself.
      "context_management",
      "truncation",
      "reasoning.context",
      "reasoning.generate_summary",
      "reasoning.summary",
      "text.verbosity",
    ],
    // Details of tools that the gateway never calls, and of what the client sent.
    entries: {
      include: new Set([
        "code_interpreter_call.outputs",
        "computer_call_output.output.image_url",
        "file_search_call.results",
        "message.input_image.image_url",
        "web_search_call.action.sources",
        "web_search_call.results",
      ]),
    },
  },
};

type ResponseInputItem = Exclude<ResponseRequest["input"], string>[number];
type Item<Type extends string> = Extract<ResponseInputItem, { type: Type }>;
type Message = Exclude<
  ResponseInputItem,
  Item<"function_call"> | Item<"function_call_output"> | Item<"item_reference"> | Item<"reasoning">
>;

/** Sources of the parts of an input that it only names. */
export interface InputSources {
  readonly references: ReferenceSource;
  /** Reads images and files. */
  readonly reader: ContentReader;
}

/** Finds the reply that an item reference names. */
export interface ReferenceSource {
  /** Returns the entry for an item of an earlier response. */
  find(itemId: string): Promise<ConversationEntry | undefined>;
}

/**
 * Reads the input of a response: instructions are added to the system prompt, consecutive parts of one reply
 * become one message (GW-037).
 * @param request - valid request
 * @param sources - earlier replies, images and files
 * @param now - timestamp of the messages, milliseconds since the epoch
 */
export async function readInput(
  { input, instructions }: ResponseRequest,
  sources: InputSources,
  now: number,
): Promise<RequestedConversation | OpenAiFailure> {
  const said: string[] = given(instructions) === undefined ? [] : [instructions ?? ""];
  const entries: ConversationEntry[] = [];
  const items: readonly ResponseInputItem[] =
    typeof input === "string" ? [{ role: "user", content: input }] : input;
  // The encrypted reasoning belongs to the reply that follows it, or else to the one before it.
  let reasoning: ThinkingPart[] = [];
  const keepReasoning = () => {
    const last = entries.at(-1);
    if (reasoning.length > 0 && last?.role === "assistant") {
      entries[entries.length - 1] = { ...last, content: [...reasoning, ...last.content] };
    }
    reasoning = [];
  };
  for (const [index, item] of items.entries()) {
    const place = `input[${index}]`;
    if ("role" in item && (item.role === "system" || item.role === "developer")) {
      const parts = requestedParts(item.content, `${place}.content`);
      const content = await sources.reader.read(parts);
      if (isFailure(content)) return content;
      said.push(textOf(content));
      continue;
    }
    // Models receive no readable reasoning of earlier replies.
    if (item.type === "reasoning") {
      const content = given(item.encrypted_content);
      if (content !== undefined) reasoning.push(encryptedPart(content));
      continue;
    }
    const entry = await readItem(item, place, sources, now);
    if (isFailure(entry)) return entry;
    if (entry.role !== "assistant") keepReasoning();
    const last = entries.at(-1);
    const isOneReply =
      last?.role === "assistant" &&
      entry.role === "assistant" &&
      entry.content.every(({ type }) => type === "toolCall");
    if (isOneReply) {
      entries[entries.length - 1] = {
        ...last,
        content: [...last.content, ...reasoning, ...entry.content],
        stopReason: "tool-calls",
      };
      reasoning = [];
    } else {
      entries.push(entry);
      if (entry.role === "assistant") keepReasoning();
    }
  }
  keepReasoning();
  return { instructions: said.length === 0 ? undefined : said.join("\n\n"), entries };
}

async function readItem(
  item: Exclude<ResponseInputItem, Item<"reasoning">>,
  place: string,
  sources: InputSources,
  now: number,
): Promise<ConversationEntry | OpenAiFailure> {
  switch (item.type) {
    case "function_call": {
      const { call_id: id, name } = item;
      return assistantMessage("", [{ id, name, arguments: item.arguments }], now);
    }
    case "function_call_output": {
      const param = `${place}.output`;
      const content = await sources.reader.readResult(requestedParts(item.output, param), param);
      return isFailure(content) ? content : toolResult(item.call_id, content, now);
    }
    case "item_reference":
      return (
        (await sources.references.find(item.id)) ?? {
          status: 404,
          type: "not_found_error",
          code: "item_not_found",
          message: `item ${JSON.stringify(item.id)} not found; send the item itself`,
          param: place,
        }
      );
    default:
      return readMessage(item, place, sources.reader, now);
  }
}

async function readMessage(
  item: Message,
  place: string,
  reader: ContentReader,
  now: number,
): Promise<ConversationEntry | OpenAiFailure> {
  if (item.role === "assistant") {
    const { content } = item;
    const text = typeof content === "string" ? content : content.map(outputText).join("\n");
    return assistantMessage(text, [], now);
  }
  const content = await reader.read(requestedParts(item.content, `${place}.content`));
  return isFailure(content) ? content : userMessage(content, now);
}

type InputContent = Item<"function_call_output">["output"];

function requestedParts(content: InputContent, place: string): readonly RequestedPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part, index) => requestedPart(part, `${place}[${index}]`));
}

function requestedPart(part: Exclude<InputContent, string>[number], param: string): RequestedPart {
  switch (part.type) {
    case "input_text":
      return { type: "text", text: part.text };
    case "input_image":
      return { type: "image", url: part.image_url, param: `${param}.image_url` };
    case "input_file": {
      const source = given(part.file_data) ?? given(part.file_url);
      return { type: "file", source, name: given(part.filename), param };
    }
  }
}

function textOf(content: MessageContent): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function outputText(
  part:
    | { readonly type: "output_text" | "input_text"; readonly text: string }
    | { readonly type: "refusal"; readonly refusal: string },
): string {
  return part.type === "refusal" ? part.refusal : part.text;
}

/**
 * Returns the model settings of a request.
 * @param request - valid request
 */
export function readSettings(request: ResponseRequest): NonNullable<ClientRequest["settings"]> {
  return defined({
    temperature: given(request.temperature),
    topP: given(request.top_p),
    maxOutputTokens: given(request.max_output_tokens),
    responseFormat: replyFormat(given(request.text?.format)),
    reasoning: given(request.reasoning?.effort),
  });
}
