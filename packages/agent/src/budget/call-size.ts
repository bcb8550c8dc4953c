import { type ModelRequest, toolTokens } from "@openclaw/models";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { estimateTextTokens, estimateTokens, tokensOf } from "../conversation/size.js";
import type { CallSize } from "./spending.js";

/** Characters of text that make a token, on average; words alone say little about code and data. */
const CHARACTERS_PER_TOKEN = 4;

/** The parts of a model call that decide its size. */
export interface SizedCall {
  readonly request: Pick<ModelRequest, "messages" | "tools" | "maxOutputTokens"> & {
    readonly system: string;
  };
}

/**
 * Returns the estimated size of a call before it is made.
 * @param call - its request
 */
export function requestSize({ request }: SizedCall): CallSize {
  return { input: inputTokens(request), maxOutput: request.maxOutputTokens };
}

/**
 * Returns the estimated size of a request for vectors, which has no reply in tokens.
 * @param strings - strings of the request
 */
export function stringsSize(strings: readonly string[]): CallSize {
  return { input: strings.reduce((sum, text) => sum + estimateTextTokens(text), 0), maxOutput: 0 };
}

/**
 * Returns the estimated size of a call whose provider did not report it.
 * @param call - its request
 * @param reply - text and reasoning that arrived
 */
export function sizeOf(
  { request }: SizedCall,
  { text, thinking }: { readonly text: string; readonly thinking: string },
): { readonly input: number; readonly output: number } {
  return {
    input: inputTokens(request),
    output: estimateTextTokens(text) + estimateTextTokens(thinking),
  };
}

/**
 * Returns the number of tokens that a whole request may have, for a comparison with the window of a model: by words, or
 * by characters where these are more.
 * @param call - its request
 */
export function callTokens({ request: { system, messages, tools } }: SizedCall): number {
  return textTokens(system) + definitionTokens(tools) + messagesTokens(messages);
}

/**
 * Returns the number of tokens that messages may have.
 * @param messages - messages of a request
 */
export function messagesTokens(messages: readonly AgentMessage[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

/**
 * Returns the number of tokens that a text may have.
 * @param text - text of a request
 */
export function textTokens(text: string): number {
  return Math.max(estimateTextTokens(text), Math.ceil(text.length / CHARACTERS_PER_TOKEN));
}

/** Tokens of messages of transcripts, which do not change. */
const known = new WeakMap<AgentMessage, number>();

/**
 * Returns the number of tokens that a message may have.
 * @param message - message of a request
 */
export function messageTokens(message: AgentMessage): number {
  const earlier = known.get(message);
  if (earlier !== undefined) return earlier;
  let characters = 0;
  for (const part of message.content) {
    if (part.type === "text") characters += part.text.length;
    else if (part.type === "toolCall") characters += JSON.stringify(part.params)?.length ?? 0;
  }
  const tokens = Math.max(tokensOf(message), Math.ceil(characters / CHARACTERS_PER_TOKEN));
  if (Object.isFrozen(message)) known.set(message, tokens);
  return tokens;
}

function inputTokens({ system, messages, tools }: SizedCall["request"]): number {
  return estimateTextTokens(system) + estimateTokens(messages) + definitionTokens(tools);
}

function definitionTokens(tools: ModelRequest["tools"]): number {
  return tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
}
