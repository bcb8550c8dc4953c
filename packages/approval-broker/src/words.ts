import { maskSecrets } from "@openclaw/safety";

/**
 * Returns words for people: on one line, without secrets and control characters, and not longer than
 * they may be.
 * @param text - any text
 * @param longest - in characters
 */
export function boundWords(text: string, longest: number): string {
  const words = maskSecrets(text)
    .text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim();
  if (words.length <= longest) return words;
  // Not between the halves of one character.
  const kept = words.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept.trimEnd()}…`;
}
