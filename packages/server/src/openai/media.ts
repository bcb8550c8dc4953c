import { defined } from "@openclaw/foundation";
import type { FilePart, ImagePart, TextPart } from "@openclaw/plugin-sdk/tools";

/** First bytes of the content that models accept; the type that a client or a server declares is often wrong. */
const SIGNATURES: readonly (readonly [type: string, bytes: string, offset: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n", 0],
  ["image/jpeg", "\xff\xd8\xff", 0],
  ["image/gif", "GIF87a", 0],
  ["image/gif", "GIF89a", 0],
  ["image/webp", "WEBP", 8],
  ["application/pdf", "%PDF-", 0],
];

/**
 * Returns an image or a PDF by its first bytes.
 * @param bytes - content
 * @param name - name of the file
 * @returns undefined for other content
 */
export function mediaOf(bytes: Uint8Array, name?: string): ImagePart | FilePart | undefined {
  const content = Buffer.from(bytes);
  const start = content.toString("latin1", 0, 16);
  const [mimeType] =
    SIGNATURES.find(([, signature, offset]) => start.startsWith(signature, offset)) ?? [];
  if (mimeType === undefined) return undefined;
  const data = content.toString("base64");
  return mimeType.startsWith("image/")
    ? { type: "image", mimeType, data }
    : { type: "file", mimeType, data, ...defined({ name }) };
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
