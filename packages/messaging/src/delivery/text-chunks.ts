/**
 * Divides a text into parts that a surface takes, at the last break between paragraphs, lines or words
 * that fits; a longer word is cut, but never within a character.
 * @param text - to divide
 * @param limit - most UTF-16 code units of a part, at least 2; undefined for no limit
 */
export function textParts(text: string, limit: number | undefined): readonly string[] {
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
