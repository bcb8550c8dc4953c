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
  // Does not cut between the halves of a surrogate pair.
  const kept = words.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept.trimEnd()}…`;
}
