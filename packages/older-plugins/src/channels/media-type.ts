import { extname } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".aac": "audio/aac",
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".m4a": "audio/mp4",
  ".md": "text/markdown",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".oga": "audio/ogg",
  ".ogg": "audio/ogg",
  ".opus": "audio/ogg",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".wav": "audio/wav",
  ".webm": "video/webm",
  ".webp": "image/webp",
  ".zip": "application/zip",
};

/**
 * Returns the media type of a file by the ending of its name; `application/octet-stream` for an unknown one.
 * @param name - file name, path or URL
 */
export function mimeTypeOf(name: string): string {
  const path = URL.parse(name)?.pathname ?? name;
  return TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
}

/**
 * Returns the ending of file names of a media type, with its dot; undefined for an unknown one.
 * @param mimeType - for example `image/png`
 */
export function extensionOf(mimeType: string): string | undefined {
  const plain = mimeType.split(";")[0]?.trim().toLowerCase();
  return Object.keys(TYPES).find((extension) => TYPES[extension] === plain);
}
