import type { ToolResult } from "./tools/definition.js";

/**
 * Returns a result with plain text.
 * @param text - text for the model
 */
export function textResult(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

/**
 * Returns a result with a value, as formatted JSON for the model and as `details` for clients.
 * @param value - any JSON value
 */
export function jsonResult<Value>(value: Value): ToolResult<Value> {
  return {
    content: [{ type: "text", text: JSON.stringify(value, null, 2) ?? "null" }],
    details: value,
  };
}

/**
 * Returns the result of a failed call.
 * @param message - the problem and what the model can try instead
 */
export function errorResult(message: string): ToolResult {
  return { content: [{ type: "text", text: message }], isError: true };
}

/**
 * Returns a result with an image.
 * @param data - base64 of the image's bytes
 * @param mimeType - for example `image/png`
 * @param caption - text next to the image
 */
export function imageResult(data: string, mimeType: string, caption?: string): ToolResult {
  const image = { type: "image" as const, data, mimeType };
  return { content: caption === undefined ? [image] : [{ type: "text", text: caption }, image] };
}
