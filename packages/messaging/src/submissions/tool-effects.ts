import type { TranscriptEntry } from "@openclaw/store";

const MOST_SHOWN = 20;
const LONGEST_PARAMS = 80;

/**
 * Describes the tool calls in entries that were taken back: their effects remain (SUB-035).
 * @param entries - entries that were taken back
 * @returns lines for the user; empty when no tool ran
 */
export function remainingEffects(entries: readonly TranscriptEntry[]): readonly string[] {
  const params = new Map<string, string>();
  const calls: string[] = [];
  for (const { message } of entries) {
    if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type === "toolCall") params.set(part.toolCallId, shortened(part.params));
      }
    }
    if (message.role !== "toolResult") continue;
    const failed = message.isError ? " (failed, may have had effects)" : "";
    calls.push(`  ${message.toolName} ${params.get(message.toolCallId) ?? ""}`.trimEnd() + failed);
  }
  if (calls.length === 0) return [];
  const shown = calls.slice(0, MOST_SHOWN);
  const more = calls.length - shown.length;
  return [
    "The effects of these tool calls remain:",
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function shortened(params: unknown): string {
  const text = JSON.stringify(params) ?? "";
  return text.length > LONGEST_PARAMS ? `${text.slice(0, LONGEST_PARAMS)}…` : text;
}
