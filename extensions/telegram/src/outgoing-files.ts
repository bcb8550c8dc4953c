import { basename } from "node:path";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/channel-core";

// Limits of https://core.telegram.org/bots/api#sending-files.
const MEBIBYTE = 1024 * 1024;
const PHOTO_BYTES = 10 * MEBIBYTE;
const UPLOAD_BYTES = 50 * MEBIBYTE;

type SentFile = Pick<AttachmentMeta, "mimeType" | "bytes" | "path" | "name">;

/**
 * Returns the method of the Bot API that sends a file. An image that is too large for a photo is a document.
 * @param file - the file
 */
export function methodFor({ mimeType, bytes }: SentFile) {
  if (/^image\/(?:jpeg|png|webp)$/.test(mimeType)) {
    return bytes > PHOTO_BYTES ? "sendDocument" : "sendPhoto";
  }
  if (mimeType === "audio/ogg") return "sendVoice";
  return mimeType.startsWith("audio/") ? "sendAudio" : "sendDocument";
}

/**
 * Returns the name of an uploaded file in the form that grammY writes into the header of its part: grammY does not quote
 * it, so that a name with a semicolon or in another script would be cut or make the request unreadable.
 * @param file - file with a path
 */
export function quotedName({ path = "", name = basename(path) }: SentFile): string {
  const plain = name
    .replaceAll(/\p{Cc}+/gu, " ")
    .replaceAll('"', "'")
    .replaceAll("\\", "_");
  return `"${plain}"`;
}

/**
 * Returns the note for people about a file that Telegram does not take from a bot; undefined for a file that it takes.
 * @param file - the file
 */
export function refusalOf({ bytes, path, name = "file" }: SentFile): string | undefined {
  if (path === undefined) return undefined;
  if (bytes === 0) return `[${name} was not sent: it is empty]`;
  if (bytes <= UPLOAD_BYTES) return undefined;
  const size = Math.ceil(bytes / MEBIBYTE);
  return `[${name} was not sent: it has ${size} MB, and Telegram takes at most 50 MB from a bot]`;
}
