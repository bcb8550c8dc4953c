import { startOfText } from "@openclaw/foundation";
import { maskSecrets } from "@openclaw/safety";

/**
 * Returns text for display: on one line, without control characters and secrets, cut to its maximum
 * length.
 * @param text - any text
 * @param longest - maximum length in characters
 */
export function boundWords(text: string, longest: number): string {
  const words = maskSecrets(text)
    .text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim();
  if (words.length <= longest) return words;
  return `${startOfText(words, longest - 1).trimEnd()}…`;
}
