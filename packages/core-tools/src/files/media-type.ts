import { extname } from "node:path";

/** Types by which channels choose how a file is shown. */
const TYPES: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".svg", "image/svg+xml"],
  [".mp3", "audio/mpeg"],
  [".ogg", "audio/ogg"],
  [".m4a", "audio/mp4"],
  [".wav", "audio/wav"],
  [".mp4", "video/mp4"],
  [".webm", "video/webm"],
  [".pdf", "application/pdf"],
  [".json", "application/json"],
  [".zip", "application/zip"],
  [".csv", "text/csv"],
  [".html", "text/html"],
  [".md", "text/markdown"],
  [".txt", "text/plain"],
]);

/**
 * Returns the MIME type of a file by its extension.
 * @param path - path of the file
 */
export function mediaTypeOf(path: string): string {
  return TYPES.get(extname(path).toLowerCase()) ?? "application/octet-stream";
}
