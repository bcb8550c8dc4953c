import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { HistoryFold } from "./history-fold.js";

const TOKENS_PER_WORD = 1.3;
const TOKENS_PER_MESSAGE = 4;

/**
 * Estimates how many tokens messages take: 1.3 for each word, rounded down, and 4 for each message
 * (SUB-036).
 * @param messages - messages of a conversation
 */
export function estimateTokens(messages: readonly AgentMessage[]): number {
  const [first] = messages;
  if (first === undefined || Object.isFrozen(first)) return sizes.of(messages);
  // A summary is another message in each turn; those behind it stay the same.
  return tokensOf(first) + sizes.of(messages.slice(1));
}

/**
 * Estimates how many tokens a text takes.
 * @param text - text of a request or a reply
 */
export function estimateTextTokens(text: string): number {
  return Math.ceil(wordsOf(text) * TOKENS_PER_WORD);
}

const sizes = new HistoryFold<number>({
  start: () => 0,
  add: (total, message) => total + tokensOf(message),
  copy: (total) => total,
});

function tokensOf(message: AgentMessage): number {
  return Math.floor(countWords(message) * TOKENS_PER_WORD) + TOKENS_PER_MESSAGE;
}

/** Ignores `details`, which are not sent to models. */
function countWords({ content }: AgentMessage): number {
  let words = 0;
  for (const part of content) {
    if (part.type === "text" || part.type === "thinking") words += wordsOf(part.text);
    else if (part.type === "toolCall") words += wordsOf(JSON.stringify(part.params) ?? "");
  }
  return words;
}

function wordsOf(text: string): number {
  let words = 0;
  for (const _word of text.matchAll(/\S+/g)) words += 1;
  return words;
}
