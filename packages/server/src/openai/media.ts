import { defined, imageTypeOf } from "@openclaw/foundation";
import type { FilePart, ImagePart, TextPart } from "@openclaw/plugin-sdk/tools";

const PDF = "%PDF-";

/**
 * Returns an image or a PDF by its first bytes.
 * @param bytes - content
 * @param name - name of the file
 * @returns undefined for other content
 */
export function mediaOf(bytes: Uint8Array, name?: string): ImagePart | FilePart | undefined {
  const content = Buffer.from(bytes);
  const mimeType = imageTypeOf(bytes);
  if (mimeType !== undefined) return { type: "image", mimeType, data: content.toString("base64") };
  if (content.toString("latin1", 0, PDF.length) !== PDF) return undefined;
  const data = content.toString("base64");
  return { type: "file", mimeType: "application/pdf", data, ...defined({ name }) };
}

/**
 * Returns a text file as text, which every model accepts and the safety engine inspects.
 * @param bytes - content
 * @param name - name of the file
 * @returns undefined when the content is not text in UTF-8
 */
export function textOfFile(bytes: Uint8Array, name = "without name"): TextPart | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { type: "text", text: `[File ${JSON.stringify(name)}]\n${text}` };
  } catch {
    return undefined;
  }
}
