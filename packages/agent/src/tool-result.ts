import type { JsonValue, ToolOutput, ToolResult } from "@openclaw/plugin-sdk/tools";

/** Longest text of one result in UTF-8 bytes (SAFE-002). */
const MAXIMUM_BYTES = 100_000;

/**
 * Brings what a tool returned into the one form: a full result stays, plain text and JSON are wrapped
 * as text, anything else is an error result (TURN-037).
 * @param toolName - for the message of an error result
 * @param output - what `execute` returned
 */
export function normaliseToolOutput(toolName: string, output: ToolOutput): ToolResult {
  if (isToolResult(output)) return { ...output, content: output.content.map(boundText) };
  if (typeof output === "string") return textOf(output);
  const json = safeJson(output);
  if (json !== undefined) return textOf(json);
  return {
    isError: true,
    content: [
      { type: "text", text: `${toolName} failed: it returned something that is no result` },
    ],
  };
}

/**
 * One line that stands for a result in a log or a terminal.
 * @param result - a normalised result
 */
export function previewOf({ content }: ToolResult): string {
  const text = content
    .map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

/**
 * A value that survives JSON; undefined for anything else (TURN-043).
 * @param value - for example a tool's `details`
 */
export function jsonOnly(value: unknown): JsonValue | undefined {
  const text = safeJson(value);
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}

function isToolResult(output: ToolOutput): output is ToolResult {
  if (typeof output !== "object" || output === null || !("content" in output)) return false;
  const { content } = output;
  return Array.isArray(content) && content.every(isContentPart);
}

function isContentPart(part: unknown): boolean {
  if (typeof part !== "object" || part === null || !("type" in part)) return false;
  if (part.type === "text") return "text" in part && typeof part.text === "string";
  if (part.type !== "image") return false;
  return "data" in part && typeof part.data === "string" && "mimeType" in part;
}

function safeJson(value: unknown): string | undefined {
  if (value === undefined) return "null";
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

function textOf(text: string): ToolResult {
  return { content: [boundText({ type: "text", text })] };
}

function boundText<Part extends ToolResult["content"][number]>(part: Part): Part {
  if (part.type !== "text" || Buffer.byteLength(part.text) <= MAXIMUM_BYTES) return part;
  const bytes = Buffer.from(part.text);
  // A cut inside a code point decodes to a replacement character at the end; take it off.
  const head = new TextDecoder().decode(bytes.subarray(0, MAXIMUM_BYTES)).replace(/\uFFFD$/, "");
  const notice = `[Output truncated: ${bytes.length} bytes exceeded maximum of ${MAXIMUM_BYTES} bytes]`;
  return { ...part, text: `${head}\n${notice}` };
}
