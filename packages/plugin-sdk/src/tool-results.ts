import type { TextPart } from "./message/message.js";
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

/**
 * Returns a part with audio for `content` of a result. Models read its description; clients such as those of MCP receive it,
 * up to 1 MiB of Base64.
 * @param data - base64 of the audio's bytes
 * @param mimeType - for example `audio/wav`
 * @param description - text for the model, for example what is said; type and size when absent
 */
export function audioPart(data: string, mimeType: string, description?: string): TextPart {
  const text = description ?? `[audio, ${mimeType}, ${bytesOf(data)} bytes]`;
  return { type: "text", text, file: { mimeType, data } };
}

/** Content of a resource: text, or bytes with a description. */
export type ResourceContent =
  | { readonly text: string }
  | {
      /** Base64 of the bytes. */
      readonly data: string;
      /** Text for the model; URI, type and size when absent. */
      readonly description?: string;
    };

/**
 * Returns a part with a resource for `content` of a result. Models read text, and the description of bytes; clients such as
 * those of MCP receive the resource with its URI, bytes up to 1 MiB of Base64.
 * @param resource - URI and type
 * @param content - text or bytes
 * @example
 * ```ts
 * import { resourcePart } from "@openclaw/plugin-sdk/tool-results";
 *
 * export const content = [
 *   resourcePart({ uri: "acme://notes/1", mimeType: "text/plain" }, { text: "Call Ann." }),
 * ];
 * ```
 */
export function resourcePart(
  { uri, mimeType }: { readonly uri: string; readonly mimeType: string },
  content: ResourceContent,
): TextPart {
  if ("text" in content) return { type: "text", text: content.text, file: { mimeType, uri } };
  const { data, description = `[resource ${uri}, ${mimeType}, ${bytesOf(data)} bytes]` } = content;
  return { type: "text", text: description, file: { mimeType, uri, data } };
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}
