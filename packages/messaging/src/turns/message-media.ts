import { defined, imageTypeOf } from "@openclaw/foundation";
import type { FilePart, ImagePart, TextPart } from "@openclaw/plugin-sdk/tools";
import { MessageRefusedError } from "../errors.js";
import type { InboundMessage } from "../messages/inbound.js";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Characters of an image in base64, the most that common model providers accept. */
const LONGEST = 5_000_000;

/**
 * Returns an image of a message as models receive it. Its bytes decide the type, which senders often declare wrong.
 * @param image - content in base64
 * @param index - position among the images of the message, from 0
 * @throws MessageRefusedError when models do not accept it
 */
function imagePart({ data }: { readonly data: string }, index: number): ImagePart {
  if (data.length > LONGEST) {
    const problem = `has ${data.length} characters of base64, and models accept ${LONGEST}; send a smaller one`;
    throw refused(index, problem);
  }
  if (data.length % 4 !== 0 || !BASE64.test(data)) {
    throw refused(
      index,
      "is not base64; send the bytes of the file in base64, without line breaks",
    );
  }
  const mimeType = imageTypeOf(Buffer.from(data.slice(0, 32), "base64"));
  if (mimeType === undefined) {
    throw refused(index, "is not a PNG, JPEG, GIF or WebP image; convert it and send it again");
  }
  return { type: "image", mimeType, data };
}

/** Images and files of a message of a client, in base64. */
export interface MessageFiles {
  readonly images?: readonly { readonly data: string }[] | undefined;
  readonly files?: readonly { readonly name: string; readonly data: string }[] | undefined;
}

/**
 * Returns a message with its images and files as models receive it. Text files become a part of the text, which every
 * model reads and the safety engine inspects.
 * @param text - text of the message
 * @param attached - images, and files whose bytes decide their type
 * @throws MessageRefusedError when models do not accept one
 */
export function messageContent(
  text: string,
  { images = [], files = [] }: MessageFiles,
): Pick<InboundMessage, "text" | "client"> {
  const parts = files.map(filePart);
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const read = parts.flatMap((part) => (part.type === "text" ? [] : [part]));
  const media = [...images.map(imagePart), ...read];
  return {
    text: [text, ...texts].join("\n\n"),
    ...(media.length > 0 && { client: { media } }),
  };
}

function filePart(
  { name, data }: { readonly name: string; readonly data: string },
  index: number,
): ImagePart | FilePart | TextPart {
  if (data.length > LONGEST) {
    const problem = `has ${data.length} characters of base64, and models accept ${LONGEST}; send a smaller one`;
    throw refused(index, problem, "file");
  }
  if (data.length % 4 !== 0 || !BASE64.test(data)) {
    const problem = "is not base64; send the bytes of the file in base64, without line breaks";
    throw refused(index, problem, "file");
  }
  const bytes = Buffer.from(data, "base64");
  const part = mediaOf(bytes, name) ?? textOfFile(bytes, name);
  if (part !== undefined) return part;
  throw refused(
    index,
    "is neither a PDF, an image nor text in UTF-8; convert it and send it again",
    "file",
  );
}

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

function refused(index: number, problem: string, what = "image"): MessageRefusedError {
  return new MessageRefusedError("unacceptable", `${what} ${index + 1} ${problem}`);
}
