import type { ToolResult } from "./tools/definition.js";

/**
 * A result of plain text.
 * @param text - what the model reads
 */
export function textResult(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

/**
 * A result whose value the model reads as formatted JSON and clients get as `details`.
 * @param value - any JSON value
 */
export function jsonResult<Value>(value: Value): ToolResult<Value> {
  return {
    content: [{ type: "text", text: JSON.stringify(value, null, 2) ?? "null" }],
    details: value,
  };
}

/**
 * A result that tells the model the call failed.
 * @param message - what went wrong and what could be tried instead
 */
export function errorResult(message: string): ToolResult {
  return { content: [{ type: "text", text: message }], isError: true };
}

/**
 * A result that shows the model an image.
 * @param data - base64 of the image's bytes
 * @param mimeType - for example `image/png`
 * @param caption - text that goes with it
 */
export function imageResult(data: string, mimeType: string, caption?: string): ToolResult {
  const image = { type: "image" as const, data, mimeType };
  return { content: caption === undefined ? [image] : [{ type: "text", text: caption }, image] };
}
