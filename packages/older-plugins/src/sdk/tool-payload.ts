/**
 * Returns the machine-readable part of a tool result: its `details`, else its first text, parsed when it is
 * JSON.
 * @param result - tool result or a similar object
 * @deprecated Read `result.details`.
 */
export function extractToolPayload(
  result: { readonly details?: unknown; readonly content?: unknown } | null | undefined,
): unknown {
  if (result === null || result === undefined) return undefined;
  const { details, content } = result;
  if (details !== undefined) return details;
  const text = Array.isArray(content) ? content.map(textOf).find(Boolean) : undefined;
  if (text === undefined) return content ?? result;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf(part: unknown): string | undefined {
  if (typeof part !== "object" || part === null || !("text" in part)) return undefined;
  return typeof part.text === "string" ? part.text : undefined;
}
