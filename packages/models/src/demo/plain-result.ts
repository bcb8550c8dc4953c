const EMPTY = 'I do not remember anything yet. Write "remember that …", and I keep it.';

/**
 * Returns the result of a tool of memory or of a reminder in plain words (LLM-460).
 * @param toolName - name of the tool
 * @param text - text of its result or of its error
 * @returns undefined for another tool, and for a result in another form
 */
export function plainResult(toolName: string, text: string): string | undefined {
  if (toolName === "memory_read" && text.includes("not found")) return EMPTY;
  const result = parsed(text);
  switch (toolName) {
    case "memory_write":
      return typeof result?.path === "string" ? `I stored it in ${result.path}.` : undefined;
    case "memory_read":
      return typeof result?.content === "string"
        ? `I remember:\n\n${result.content.trim()}`
        : undefined;
    case "memory_search":
      return Array.isArray(result?.hits) ? foundIn(result.hits) : undefined;
    case "routine_create":
      return typeof result?.schedule === "string"
        ? scheduled(result.schedule, result.next)
        : undefined;
    default:
      return undefined;
  }
}

/** Names the first due time; the running gateway, or the next one, runs what is due. */
function scheduled(schedule: string, next: unknown): string {
  const [first]: unknown[] = Array.isArray(next) ? next : [];
  const time =
    typeof first === "object" && first !== null && "local" in first
      ? String(first.local)
      : schedule;
  return `I stored it as a routine, and it runs while OpenClaw does: ${time}. "openclaw cron list" lists it.`;
}

function foundIn(hits: readonly unknown[]): string {
  const texts = hits.flatMap((hit) =>
    typeof hit === "object" && hit !== null && "text" in hit && typeof hit.text === "string"
      ? [`- ${hit.text.trim()}`]
      : [],
  );
  return texts.length === 0
    ? "I do not remember anything about that."
    : `I remember:\n\n${texts.join("\n")}`;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : undefined;
  } catch {
    return undefined;
  }
}
