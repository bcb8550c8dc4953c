import { defined } from "@openclaw/foundation";
import type { ClientRequest } from "@openclaw/messaging";
import type { ImagePart, TextPart } from "@openclaw/plugin-sdk/tools";
import { type ResponseRequest, responseRequestSchema } from "@openclaw/protocol/openai";
import {
  assistantMessage,
  type ConversationEntry,
  type RequestedConversation,
  readImage,
  toolResult,
  userMessage,
} from "../conversation.js";
import { isFailure, type OpenAiFailure } from "../error.js";
import { given, HARMLESS_PARAMETERS, type ParameterRules } from "../parameters.js";

/** Parameters of responses that are not supported, and the values with which they change nothing. */
export const RESPONSE_PARAMETERS: ParameterRules = {
  supported: new Set(Object.keys(responseRequestSchema.properties)),
  harmless: {
    ...HARMLESS_PARAMETERS,
    background: ["false"],
    include: ["[]"],
    truncation: ['"disabled"'],
  },
};

type ResponseInputItem = Exclude<ResponseRequest["input"], string>[number];
type Item<Type extends string> = Extract<ResponseInputItem, { type: Type }>;
type Message = Exclude<
  ResponseInputItem,
  Item<"function_call"> | Item<"function_call_output"> | Item<"item_reference">
>;

/** Finds the reply that an item reference names. */
export interface ReferenceSource {
  /**
   * Returns the entry for an item of an earlier response.
   * @param itemId - ID of the item
   */
  find(itemId: string): Promise<ConversationEntry | undefined>;
}

/**
 * Reads the input of a response: instructions are added to the system prompt, consecutive parts of one reply
 * become one message (GW-037).
 * @param request - valid request
 * @param references - earlier replies
 * @param now - timestamp of the messages, milliseconds since the epoch
 */
export async function readInput(
  { input, instructions }: ResponseRequest,
  references: ReferenceSource,
  now: number,
): Promise<RequestedConversation | OpenAiFailure> {
  const said: string[] = given(instructions) === undefined ? [] : [instructions ?? ""];
  const entries: ConversationEntry[] = [];
  const items: readonly ResponseInputItem[] =
    typeof input === "string" ? [{ role: "user", content: input }] : input;
  for (const [index, item] of items.entries()) {
    const place = `input[${index}]`;
    if ("role" in item && (item.role === "system" || item.role === "developer")) {
      const parts = readParts(item.content, place);
      if (isFailure(parts)) return parts;
      said.push(textOf(parts));
      continue;
    }
    const entry = await readItem(item, place, references, now);
    if (isFailure(entry)) return entry;
    const last = entries.at(-1);
    const isOneReply =
      last?.role === "assistant" &&
      entry.role === "assistant" &&
      entry.content.every(({ type }) => type === "toolCall");
    if (isOneReply) {
      entries[entries.length - 1] = {
        ...last,
        content: [...last.content, ...entry.content],
        stopReason: "tool-calls",
      };
    } else entries.push(entry);
  }
  return { instructions: said.length === 0 ? undefined : said.join("\n\n"), entries };
}

async function readItem(
  item: ResponseInputItem,
  place: string,
  references: ReferenceSource,
  now: number,
): Promise<ConversationEntry | OpenAiFailure> {
  switch (item.type) {
    case "function_call": {
      const { call_id: id, name } = item;
      return assistantMessage("", [{ id, name, arguments: item.arguments }], now);
    }
    case "function_call_output": {
      const parts = readParts(item.output, place);
      return isFailure(parts) ? parts : toolResult(item.call_id, parts, now);
    }
    case "item_reference":
      return (
        (await references.find(item.id)) ?? {
          status: 404,
          type: "not_found_error",
          code: "item_not_found",
          message: `item ${JSON.stringify(item.id)} not found; send the item itself`,
          param: place,
        }
      );
    default:
      return readMessage(item, place, now);
  }
}

function readMessage(item: Message, place: string, now: number): ConversationEntry | OpenAiFailure {
  if (item.role === "assistant") {
    const { content } = item;
    const text = typeof content === "string" ? content : content.map(outputText).join("\n");
    return assistantMessage(text, [], now);
  }
  const parts = readParts(item.content, place);
  return isFailure(parts) ? parts : userMessage(parts, now);
}

type InputContent = Item<"function_call_output">["output"];

function readParts(content: InputContent, place: string): (TextPart | ImagePart)[] | OpenAiFailure {
  if (typeof content === "string") return [{ type: "text", text: content }];
  const parts: (TextPart | ImagePart)[] = [];
  for (const [index, part] of content.entries()) {
    const read =
      part.type === "input_text"
        ? { type: "text" as const, text: part.text }
        : readImage(part.image_url, `${place}.content[${index}].image_url`);
    if ("status" in read) return read;
    parts.push(read);
  }
  return parts;
}

function textOf(parts: readonly (TextPart | ImagePart)[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
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
    responseFormat: readFormat(given(request.text?.format)),
  });
}

function readFormat(format: NonNullable<ResponseRequest["text"]>["format"] | undefined) {
  if (format === undefined || format === null || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json" as const };
  const { name, description, schema } = format;
  return {
    type: "json" as const,
    name,
    ...defined({ description: given(description), schema: given(schema) }),
  };
}
