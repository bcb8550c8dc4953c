/**
 * Divides a text into chunks that fit a surface, at the last break between paragraphs, lines or words that
 * fits. A longer word is cut, but never within a character.
 * @param text - text to divide
 * @param limit - maximum UTF-16 code units of a chunk, at least 2; undefined for no limit
 */
export function textChunks(text: string, limit: number | undefined): readonly string[] {
  if (limit === undefined || text.length <= limit) return [text];
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const end = lastBreak(rest, limit);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest].filter((part) => part !== "");
}

function lastBreak(text: string, limit: number): number {
  const head = text.slice(0, limit + 1);
  for (const mark of ["\n\n", "\n", " "]) {
    const at = head.lastIndexOf(mark);
    if (at > 0 && text.slice(0, at).trim() !== "") return at;
  }
  const isInsideCharacter = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return isInsideCharacter ? limit - 1 : limit;
}
