import type {
  AssistantMessage,
  CacheablePart,
  ImagePart,
  JsonValue,
  TextPart,
} from "@openclaw/plugin-sdk/tools";
import type { MessageParam, MessageRequest } from "@openclaw/protocol/anthropic";
import type { ContentReader, RequestedPart } from "../openai/content.js";
import {
  type ConversationEntry,
  type RequestedConversation,
  replyOf,
  toolResult,
  userMessage,
} from "../openai/conversation.js";
import { isFailure, type OpenAiFailure } from "../openai/error.js";
import { given } from "../openai/parameters.js";
import { cacheOf } from "./prompt-cache.js";
import { readSignature } from "./reference.js";

type UserContent = Exclude<Extract<MessageParam, { role: "user" }>["content"], string>;
type UserBlock = UserContent[number];
type ResultBlock = Extract<UserBlock, { type: "tool_result" }>;
type SpokenBlock = Exclude<UserBlock, ResultBlock>;
type ReplyBlock = Exclude<Extract<MessageParam, { role: "assistant" }>["content"], string>[number];

/** Sources of the content of a request. */
export interface ConversationSources {
  /** Reads images and documents. */
  readonly reader: ContentReader;
  /**
   * Returns the turn of the client that answered a message.
   * @param messageId - ID of the message in the inbox
   * @returns undefined when there is none, or it answered another client
   */
  runOf(messageId: string): Promise<string | undefined>;
}

/**
 * Reads the conversation of a request: its system prompt is added to the one of this turn, earlier messages replace the
 * stored history.
 * @param request - valid request
 * @param sources - sources of its content
 * @param now - timestamp of the messages, milliseconds since the epoch
 */
export async function readConversation(
  { system, messages }: Pick<MessageRequest, "system" | "messages">,
  { reader, runOf }: ConversationSources,
  now: number,
): Promise<RequestedConversation | OpenAiFailure> {
  const instructions = system === undefined ? [] : [plainText(system)];
  const entries: ConversationEntry[] = [];
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}].content`;
    if (message.role === "system") instructions.push(plainText(message.content));
    else if (message.role === "assistant") {
      entries.push(await readReply(message.content, { runOf, now }));
    } else {
      const read = await readUserMessage(message.content, { place, reader, now });
      if (isFailure(read)) return read;
      entries.push(...read);
    }
  }
  const said = instructions.filter((text) => text !== "");
  return { instructions: said.length === 0 ? undefined : said.join("\n\n"), entries };
}

interface Reading {
  readonly place: string;
  readonly reader: ContentReader;
  readonly now: number;
}

/** Returns the results of tools, and what the user says after them. */
async function readUserMessage(
  content: string | UserContent,
  { place, reader, now }: Reading,
): Promise<readonly ConversationEntry[] | OpenAiFailure> {
  if (typeof content === "string") return [userMessage([{ type: "text", text: content }], now)];
  const entries: ConversationEntry[] = [];
  const spoken: RequestedPart[] = [];
  for (const [index, block] of content.entries()) {
    const at = `${place}[${index}]`;
    if (block.type !== "tool_result") {
      spoken.push(...requestedParts(block, at));
      continue;
    }
    const result = await readResult(block, `${at}.content`, reader);
    if (isFailure(result)) return result;
    const marked = lastMarked(result, cacheOf(block));
    entries.push(toolResult(block.tool_use_id, marked, now, block.is_error === true));
  }
  if (spoken.length === 0 && entries.length > 0) return entries;
  const said = await reader.read(spoken);
  return isFailure(said) ? said : [...entries, userMessage(said, now)];
}

async function readResult(
  { content = "" }: ResultBlock,
  place: string,
  reader: ContentReader,
): Promise<(TextPart | ImagePart)[] | OpenAiFailure> {
  if (typeof content === "string") return [{ type: "text", text: content }];
  const parts = content.flatMap((block, index) => requestedParts(block, `${place}[${index}]`));
  return await reader.readResult(parts, place);
}

/** Returns a block as parts of a message; the last one keeps the mark of the block. */
function requestedParts(block: SpokenBlock, param: string): readonly RequestedPart[] {
  return lastMarked(plainParts(block, param), cacheOf(block));
}

function lastMarked<Part extends CacheablePart>(
  parts: readonly Part[],
  mark: CacheablePart,
): readonly Part[] {
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...mark } : part));
}

function plainParts(block: SpokenBlock, param: string): readonly RequestedPart[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "image": {
      const { source } = block;
      return [{ type: "image", url: urlOf(source), param: `${param}.source` }];
    }
    case "document":
      return documentParts(block, `${param}.source`);
    case "search_result": {
      const { title, source, content } = block;
      const found = content.map(({ text }) => text).join("\n");
      return [{ type: "text", text: `[Search result ${named(title)} from ${source}]\n${found}` }];
    }
  }
}

function documentParts(
  block: Extract<SpokenBlock, { type: "document" }>,
  param: string,
): readonly RequestedPart[] {
  const { source } = block;
  const name = given(block.title);
  const context = given(block.context);
  const head = name === undefined ? "[Document]" : `[Document ${named(name)}]`;
  const about: RequestedPart[] =
    context === undefined ? [] : [{ type: "text", text: `[About the document] ${context}` }];
  switch (source.type) {
    case "text":
      return [...about, { type: "text", text: `${head}\n${source.data}` }];
    case "content": {
      const { content } = source;
      if (typeof content === "string")
        return [...about, { type: "text", text: `${head}\n${content}` }];
      const parts = content.flatMap((part, index) =>
        requestedParts(part, `${param}.content[${index}]`),
      );
      return [...about, { type: "text", text: head }, ...parts];
    }
    default:
      return [...about, { type: "file", source: urlOf(source), name, param }];
  }
}

type Source = Extract<SpokenBlock, { type: "image" }>["source"];

function urlOf(source: Source): string {
  return source.type === "url" ? source.url : `data:${source.media_type};base64,${source.data}`;
}

function named(title: string): string {
  return JSON.stringify(title);
}

/**
 * Returns a reply that a client sends back. One of this gateway without calls is replaced by its turn; the calls of
 * others name their turns themselves.
 */
async function readReply(
  content: string | readonly ReplyBlock[],
  { runOf, now }: Pick<ConversationSources, "runOf"> & { readonly now: number },
): Promise<ConversationEntry> {
  if (typeof content === "string") return replyOf(textParts(content), now);
  const reply = replyOf(content.flatMap(replyParts), now);
  const messageId = content.map(messageNamedBy).find((id) => id !== undefined);
  if (messageId === undefined || reply.content.some(({ type }) => type === "toolCall"))
    return reply;
  const id = await runOf(messageId);
  return id === undefined ? reply : { role: "turn", id, asSent: reply };
}

function messageNamedBy(block: ReplyBlock): string | undefined {
  return block.type === "thinking" ? readSignature(block.signature) : undefined;
}

/** Returns a block of a reply; reasoning that its provider signed reaches this provider unchanged. */
function replyParts(block: ReplyBlock): AssistantMessage["content"] {
  switch (block.type) {
    case "text":
      return textParts(block.text).map((part) => ({ ...part, ...cacheOf(block) }));
    case "tool_use": {
      const { id, name, input } = block;
      const params: JsonValue = JSON.parse(JSON.stringify(input));
      return [{ type: "toolCall", toolCallId: id, toolName: name, params, ...cacheOf(block) }];
    }
    case "thinking": {
      const { thinking, signature } = block;
      // The turn itself has the reasoning of this gateway.
      if (readSignature(signature) !== undefined) return [];
      return [{ type: "thinking", text: thinking, providerData: { anthropic: { signature } } }];
    }
    case "redacted_thinking": {
      const redactedData = block.data;
      return [{ type: "thinking", text: "", providerData: { anthropic: { redactedData } } }];
    }
  }
}

function textParts(text: string): AssistantMessage["content"] {
  return text === "" ? [] : [{ type: "text", text }];
}

function plainText(content: string | readonly { readonly text: string }[]): string {
  if (typeof content === "string") return content;
  return content.map(({ text }) => text).join("\n\n");
}
