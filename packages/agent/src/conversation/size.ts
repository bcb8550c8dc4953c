import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { HistoryFold } from "./history-fold.js";

const TOKENS_PER_WORD = 1.3;
const TOKENS_PER_MESSAGE = 4;
/** Tokens of an image of usual size; models count between 250 and 1,600. */
const TOKENS_PER_IMAGE = 1000;

/**
 * Estimates how many tokens messages take: 1.3 for each word, rounded down, and 4 for each message. In scripts without
 * spaces each character counts as a word (SUB-036). An image takes 1,000.
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

/**
 * Estimates how many tokens one message takes (SUB-036).
 * @param message - message of a conversation
 */
export function tokensOf(message: AgentMessage): number {
  const images = message.content.filter(({ type }) => type === "image").length;
  const words = Math.floor(countWords(message) * TOKENS_PER_WORD);
  return words + TOKENS_PER_MESSAGE + images * TOKENS_PER_IMAGE;
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

/**
 * Letters of scripts that write no space between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan; and of
 * Korean, whose words are several tokens.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/gu;
/** Characters of the longest word of a text; what is longer is data or an address. */
const LONGEST_WORD = 40;
/** Characters of data that count as a word, so that four make a token. */
const CHARACTERS_PER_WORD = 4 * TOKENS_PER_WORD;

function wordsOf(text: string): number {
  let letters = 0;
  const spaced = text.replace(UNSPACED, () => {
    letters += 1;
    return " ";
  });
  let words = letters;
  for (const [word] of spaced.matchAll(/\S+/g)) {
    words += word.length > LONGEST_WORD ? Math.ceil(word.length / CHARACTERS_PER_WORD) : 1;
  }
  return words;
}
