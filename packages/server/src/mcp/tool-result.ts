import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { OpenClawError } from "@openclaw/foundation";
import { Type } from "typebox";
import { Check } from "typebox/value";

/**
 * Returns the parts of a result of a tool in the form of MCP.
 * @param parts - parts as models receive them
 */
export function contentOf(parts: readonly Readonly<Record<string, unknown>>[]): ContentBlock[] {
  return parts.map((part): ContentBlock => {
    const { type, text, data, mimeType } = part;
    if (type === "text" && typeof text === "string")
      return fileOf(part.file, text) ?? { type, text };
    if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
      return { type, data, mimeType };
    }
    return { type: "text", text: JSON.stringify(part) };
  });
}

/** Returns the file that a text describes or contains, as the client receives it instead of the text. */
function fileOf(file: unknown, text: string): ContentBlock | undefined {
  if (!Check(partFile, file)) return undefined;
  const { mimeType, uri, data } = file;
  if (data !== undefined && mimeType.startsWith("audio/")) return { type: "audio", data, mimeType };
  if (uri === undefined) return undefined;
  const content = data === undefined ? { text } : { blob: data };
  return { type: "resource", resource: { uri, mimeType, ...content } };
}

/** File of a part, as the gateway sends it. */
const partFile = Type.Object({
  mimeType: Type.String(),
  uri: Type.Optional(Type.String()),
  data: Type.Optional(Type.String()),
});

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
