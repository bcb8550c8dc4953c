import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { OpenClawError } from "@openclaw/foundation";

/**
 * Returns the parts of a result of a tool in the form of MCP.
 * @param parts - parts as models receive them
 */
export function contentOf(parts: readonly Readonly<Record<string, unknown>>[]): ContentBlock[] {
  return parts.map((part): ContentBlock => {
    const { type, text, data, mimeType } = part;
    if (type === "text" && typeof text === "string") return { type, text };
    if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
      return { type, data, mimeType };
    }
    return { type: "text", text: JSON.stringify(part) };
  });
}

/**
 * Returns the result of a call that returned JSON.
 * @param value - JSON object
 */
export function jsonResult(value: unknown): CallToolResult {
  const structuredContent = { ...Object(value) };
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent };
}

/**
 * Returns the result of a call that failed, which the model reads: code, problem and next step.
 * @param error - failure of the gateway
 * @throws what is not a failure with a code
 */
export function failedResult(error: unknown): CallToolResult {
  if (!OpenClawError.isInstance(error)) throw error;
  return errorResult(`${error.code}: ${error.message}`);
}

/**
 * Returns the result of a call that failed.
 * @param text - problem for the model
 */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
