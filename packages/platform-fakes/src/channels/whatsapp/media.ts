import { GraphError, mediaError } from "./refusal.js";

// Types and sizes of https://developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media
const MEBIBYTE = 1024 * 1024;
const OFFICE = "application/vnd.openxmlformats-officedocument";
const TYPES: Readonly<
  Record<string, { readonly types: readonly string[]; readonly bytes: number }>
> = {
  audio: {
    types: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"],
    bytes: 16 * MEBIBYTE,
  },
  document: {
    types: [
      ...["text/plain", "application/pdf", "application/msword"],
      ...["application/vnd.ms-excel", "application/vnd.ms-powerpoint"],
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.presentationml.presentation`,
    ],
    bytes: 100 * MEBIBYTE,
  },
  image: { types: ["image/jpeg", "image/png"], bytes: 5 * MEBIBYTE },
  sticker: { types: ["image/webp"], bytes: 500 * 1024 },
  video: { types: ["video/mp4", "video/3gpp"], bytes: 16 * MEBIBYTE },
};
const ALL = Object.values(TYPES).flatMap(({ types }) => types);

/**
 * Checks an uploaded file.
 * @param bytes - its size
 * @throws GraphError
 */
export function checkUpload(mimeType: string, bytes: number): void {
  const type = plain(mimeType);
  if (!ALL.includes(type)) {
    const types = ALL.join(", ");
    throw new GraphError(
      `(#100) Param file must be a file with one of the following types: ${types}. Received file of type '${type}'.`,
    );
  }
  const limit = Math.max(
    ...Object.values(TYPES).flatMap((kind) => (kind.types.includes(type) ? [kind.bytes] : [])),
  );
  if (bytes === 0) throw mediaError("Media file is empty.");
  if (bytes > limit) {
    throw mediaError(
      `Media file size too big. Max file size we currently support: ${limit} bytes.`,
    );
  }
}

/**
 * Checks that a file can be sent as a kind of message; any file can be a document.
 * @param kind - kind of the message
 * @param mimeType - type of the file
 * @throws GraphError
 */
export function checkKind(kind: string, mimeType: string): void {
  if (kind === "document" || TYPES[kind]?.types.includes(plain(mimeType)) === true) return;
  throw mediaError(`Unsupported ${kind} mime type ${mimeType}.`);
}

function plain(mimeType: string): string {
  const [type = ""] = mimeType.toLowerCase().split(";");
  return type.trim();
}
