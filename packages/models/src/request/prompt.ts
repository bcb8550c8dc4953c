import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { defined, wellFormed } from "@openclaw/foundation";
import type {
  AgentMessage,
  AssistantMessage,
  CacheablePart,
  FilePart,
  ImagePart,
  JsonObject,
  JsonValue,
  TextPart,
  ThinkingPart,
  ToolResultMessage,
} from "@openclaw/plugin-sdk/tools";

import type { RequestedModel } from "./failure.js";
import { cacheOptions } from "./prompt-cache.js";
import { CONTINUATION, providerOptions } from "./provider-data.js";

const NO_RESULT = "No result of this call was recorded. It may or may not have run.";
/** Provider of the messages of the model that a client of the API brings. */
const CLIENT = "api";
const TOOL_IMAGES = "Images from the tool results above:";

/**
 * Converts a conversation to a model prompt. Every call is directly followed by its single result, as model
 * APIs require, regardless of the transcript:
 * - a result moves to its call; a call without a result gets one that reports this;
 * - a result whose call was removed by compaction is left out, and so are second results;
 * - IDs and names that an API would reject, or IDs used twice, are replaced on both sides;
 * - `details` of results are left out; blank text and empty messages are skipped;
 * - thinking is left out, except what the same model signed, and what a client of the API brings for the provider:
 *   some APIs reject calls without the reasoning that led to them (LLM-046);
 * - arguments that are not an object are wrapped in one, because some APIs accept only objects;
 * - half of a character, which strict APIs reject for good, becomes U+FFFD (LLM-203);
 * - images of a result follow in a user message, because chat APIs do not accept them in a result.
 * @param system - system prompt; left out when blank
 * @param messages - transcript, oldest first
 * @param model - model that receives the prompt
 */
export function modelPrompt(
  system: string | undefined,
  messages: readonly AgentMessage[],
  model: RequestedModel,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  if (system !== undefined && system.trim() !== "") {
    prompt.push({ role: "system", content: system.toWellFormed() });
  }
  const called: CallsAt[] = [];
  const unanswered = new Map<string, Call[]>();
  const takenIds = new Set<string>();
  let turn = -1;
  for (const message of messages) {
    turn += 1;
    if (message.role === "user") {
      const content = inputParts(message.content);
      if (content.length > 0) prompt.push({ role: "user", content });
    } else if (message.role === "assistant") {
      const isOwn = message.provider === model.provider && message.model === model.modelId;
      // A client does not say which model answered; only the provider that encrypted its reasoning can read it.
      const isClients = message.provider === CLIENT;
      const { content, calls } = assistantParts(message, turn, {
        isOwn,
        mayReturn: ({ providerData = {} }) =>
          isOwn
            ? Object.keys(providerData).length > 0
            : isClients && Object.hasOwn(providerData, model.provider),
        unanswered,
        takenIds,
      });
      const { continuation } = message;
      if (content.length > 0) {
        const providerOptions = isOwn && continuation && { [CONTINUATION]: continuation };
        prompt.push({ role: "assistant", content, ...(providerOptions && { providerOptions }) });
      }
      if (calls !== undefined) called.push({ end: prompt.length, calls });
    } else {
      const call = takeCall(unanswered.get(message.toolCallId) ?? []);
      if (call !== undefined) call.result = message;
    }
  }
  return called.length === 0 ? prompt : withResults(prompt, called);
}

/** Inserts the results of calls, which may come later in the conversation, behind their calls. */
function withResults(
  prompt: LanguageModelV4Prompt,
  called: readonly CallsAt[],
): LanguageModelV4Prompt {
  let from = 0;
  const parts: LanguageModelV4Prompt[] = [];
  for (const { end, calls } of called) {
    parts.push(prompt.slice(from, end), resultMessages(calls));
    from = end;
  }
  return [...parts, prompt.slice(from)].flat();
}

/**
 * Returns true for a message that `modelPrompt` created for the images of tool results, and that no user
 * wrote.
 * @param message - message created by `modelPrompt`
 */
export function isToolImageMessage(message: LanguageModelV4Message): boolean {
  const first = message.role === "user" ? message.content[0] : undefined;
  return first?.type === "text" && first.text === TOOL_IMAGES;
}

interface Call {
  part: LanguageModelV4ToolCallPart;
  turn: number;
  result?: ToolResultMessage;
}

/** Calls of one message, and the number of messages of the prompt up to it. */
interface CallsAt {
  readonly end: number;
  readonly calls: readonly Call[];
}

/** Parts of an assistant's message, and its calls if it has some. */
interface AssistantParts {
  readonly content: (
    | LanguageModelV4TextPart
    | LanguageModelV4ReasoningPart
    | LanguageModelV4ToolCallPart
  )[];
  readonly calls: readonly Call[] | undefined;
}

function assistantParts(
  message: AssistantMessage,
  turn: number,
  {
    isOwn,
    mayReturn,
    unanswered,
    takenIds,
  }: {
    /** True for a message of the model that receives the prompt. */
    readonly isOwn: boolean;
    /** Returns true for reasoning that the provider of the model recognises. */
    readonly mayReturn: (part: ThinkingPart) => boolean;
    readonly unanswered: Map<string, Call[]>;
    readonly takenIds: Set<string>;
  },
): AssistantParts {
  if (message.content.every(isShownText)) {
    return { content: message.content.map(textPart), calls: undefined };
  }
  const content: AssistantParts["content"] = [];
  let calls: Call[] | undefined;
  for (const part of message.content) {
    if (isShownText(part)) content.push(textPart(part));
    else if (part.type === "thinking" && mayReturn(part)) {
      content.push(reasoningPart(part));
    } else if (part.type === "toolCall") {
      const promptPart: LanguageModelV4ToolCallPart = {
        type: "tool-call",
        toolCallId: acceptedId(part.toolCallId, takenIds),
        toolName: acceptedName(part.toolName),
        input: callInput(part.params),
        ...defined({
          providerOptions: optionsOf(part, isOwn ? providerOptions(part.providerData) : undefined),
        }),
      };
      const call: Call = { part: promptPart, turn };
      content.push(promptPart);
      calls ??= [];
      calls.push(call);
      const waiting = unanswered.get(part.toolCallId);
      if (waiting === undefined) unanswered.set(part.toolCallId, [call]);
      else waiting.push(call);
    }
  }
  // Reasoning alone is not a reply, and APIs reject it.
  const isReply = content.some(({ type }) => type !== "reasoning");
  return { content: isReply ? content : [], calls };
}

/**
 * Takes the call that a result belongs to: of several open calls with one ID, the first one of the newest
 * turn.
 */
function takeCall(waiting: Call[]): Call | undefined {
  const newest = waiting.at(-1);
  if (newest === undefined) return undefined;
  const index = waiting.findIndex((call) => call.turn === newest.turn);
  return waiting.splice(index, 1)[0];
}

function resultMessages(calls: readonly Call[]): LanguageModelV4Message[] {
  if (calls.length === 0) return [];
  const messages: LanguageModelV4Message[] = [
    {
      role: "tool",
      content: calls.map(({ part, result }) => ({
        type: "tool-result",
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        output: resultOutput(result),
        ...defined({ providerOptions: resultOptions(result) }),
      })),
    },
  ];
  const images = calls.flatMap(({ part, result }) =>
    (result?.content ?? [])
      .filter((content) => content.type === "image")
      .flatMap((image) => [
        { type: "text" as const, text: `From ${part.toolName} (${part.toolCallId}):` },
        imageFile(image),
      ]),
  );
  if (images.length > 0) {
    messages.push({ role: "user", content: [{ type: "text", text: TOOL_IMAGES }, ...images] });
  }
  return messages;
}

function resultOutput(result: ToolResultMessage | undefined): LanguageModelV4ToolResultOutput {
  if (result === undefined) return { type: "error-text", value: NO_RESULT };
  const texts: string[] = [];
  for (const part of result.content) {
    if (part.type === "text") texts.push(textOfPart(part));
    else texts.push(`[an image of type ${part.mimeType}, shown after the tool results]`);
  }
  const text = texts.join("\n");
  const value = text.trim() === "" ? "(the tool gave no output)" : text.toWellFormed();
  return { type: result.isError ? "error-text" : "text", value };
}

/** Returns the text of a part, below the URI of the resource whose content it is. */
function textOfPart({ text, file }: TextPart): string {
  if (file?.uri === undefined || file.data !== undefined) return text;
  return `[resource ${file.uri}]\n${text}`;
}

function inputParts(
  parts: readonly (TextPart | ImagePart | FilePart)[],
): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (parts.every(isShownText)) return parts.map(textPart);
  const content: (LanguageModelV4TextPart | LanguageModelV4FilePart)[] = [];
  for (const part of parts) {
    if (part.type === "image") content.push(imageFile(part));
    else if (part.type === "file") content.push(promptFile(part));
    else if (isShownText(part)) content.push(textPart(part));
  }
  return content;
}

/**
 * Returns true for text that is not blank. Messages of such parts alone are the most, and an array of its final
 * length takes a fifth of the memory of one that grows.
 */
function isShownText(part: AgentMessage["content"][number]): part is TextPart {
  return part.type === "text" && part.text.trim() !== "";
}

function textPart(part: TextPart): LanguageModelV4TextPart {
  const text = part.text.toWellFormed();
  // Most texts have no options, and a spread for each would slow long conversations down.
  if (part.cache === undefined) return { type: "text", text };
  return { type: "text", text, providerOptions: cacheOptions(part.cache) };
}

/** Returns the options of a part that is to be cached, after those that it has anyway. */
function optionsOf(
  { cache }: CacheablePart,
  others?: SharedV4ProviderOptions,
): SharedV4ProviderOptions | undefined {
  if (cache === undefined) return others;
  const options: SharedV4ProviderOptions = { ...others };
  for (const [provider, value] of Object.entries(cacheOptions(cache))) {
    options[provider] = { ...options[provider], ...value };
  }
  return options;
}

/** A result is one part for models, cached when one of these parts is to be. */
function resultOptions(result: ToolResultMessage | undefined): SharedV4ProviderOptions | undefined {
  const marked = result?.content.findLast(({ cache }) => cache !== undefined);
  return marked && optionsOf(marked);
}

function reasoningPart({ text, providerData }: ThinkingPart): LanguageModelV4ReasoningPart {
  return {
    type: "reasoning",
    text: text.toWellFormed(),
    ...defined({ providerOptions: providerOptions(providerData) }),
  };
}

function imageFile(part: Omit<ImagePart, "type">): LanguageModelV4FilePart {
  const { data, mimeType } = part;
  const file = { type: "file", mediaType: mimeType, data: { type: "data", data } } as const;
  return { ...file, ...defined({ providerOptions: optionsOf(part) }) };
}

function promptFile(part: FilePart): LanguageModelV4FilePart {
  return { ...imageFile(part), ...defined({ filename: part.name?.toWellFormed() }) };
}

function callInput(params: JsonValue): JsonObject {
  const isObject = typeof params === "object" && params !== null && !Array.isArray(params);
  return wellFormed(isObject ? params : { unparsed: params });
}

/**
 * Makes an ID conform to the strictest limits in use: 40 characters (OpenAI chat) of this alphabet
 * (Anthropic).
 */
function acceptedId(id: string, taken: Set<string>): string {
  const wanted = id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 40) || "call";
  let accepted = wanted;
  for (let number = 2; taken.has(accepted); number += 1) {
    const suffix = `-${number}`;
    accepted = wanted.slice(0, 40 - suffix.length) + suffix;
  }
  taken.add(accepted);
  return accepted;
}

function acceptedName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}
