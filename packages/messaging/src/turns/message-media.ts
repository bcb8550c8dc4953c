import { audioTypeOf, defined, imageTypeOf } from "@openclaw/foundation";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { FilePart, ImagePart, TextPart } from "@openclaw/plugin-sdk/tools";
import { MessageRefusedError } from "../errors.js";
import type { InboundMessage } from "../messages/inbound.js";
import type { ReceivedFiles } from "../messages/received-files.js";

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

/** Files of a message without its recordings, which are attachments. */
export interface SavedRecordings {
  readonly files: NonNullable<MessageFiles["files"]>;
  readonly recordings: readonly AttachmentMeta[];
}

/**
 * Stores the recordings among the files of a message, for the hook `transcribe_audio` (UI-011).
 * @param files - files of the message, whose bytes decide their type
 * @param channel - channel of the message
 * @param received - stores them
 * @throws MessageRefusedError when one is not base64, or too large
 */
export async function savedRecordings(
  files: MessageFiles["files"],
  channel: string,
  received: Pick<ReceivedFiles, "save">,
): Promise<SavedRecordings> {
  const others: { readonly name: string; readonly data: string }[] = [];
  const recordings: AttachmentMeta[] = [];
  for (const [index, file] of (files ?? []).entries()) {
    const mimeType = audioTypeOf(Buffer.from(file.data.slice(0, 32), "base64"));
    if (mimeType === undefined) {
      others.push(file);
      continue;
    }
    const content = bytesOf(file.data, index);
    recordings.push(await received.save(channel, { name: file.name, mimeType, content }));
  }
  return { files: others, recordings };
}

function filePart(
  { name, data }: { readonly name: string; readonly data: string },
  index: number,
): ImagePart | FilePart | TextPart {
  const bytes = bytesOf(data, index);
  const part = mediaOf(bytes, name) ?? textOfFile(bytes, name);
  if (part !== undefined) return part;
  throw refused(
    index,
    "is neither a PDF, an image, audio nor text in UTF-8; convert it and send it again",
    "file",
  );
}

function bytesOf(data: string, index: number): Buffer {
  if (data.length > LONGEST) {
    const problem = `has ${data.length} characters of base64, and models accept ${LONGEST}; send a smaller one`;
    throw refused(index, problem, "file");
  }
  if (data.length % 4 !== 0 || !BASE64.test(data)) {
    const problem = "is not base64; send the bytes of the file in base64, without line breaks";
    throw refused(index, problem, "file");
  }
  return Buffer.from(data, "base64");
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
