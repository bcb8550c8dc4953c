import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { imageTypeOf } from "@openclaw/foundation";

/** Bytes of an image that a gateway accepts: 5 MB as base64. */
const MOST_BYTES = 3_750_000;
const NAME = /\.(?:png|jpe?g|gif|webp)$/i;

/** Image of a message. */
export interface AttachedImage {
  /** Name of its file. */
  readonly name: string;
  /** Absolute path of its file. */
  readonly path: string;
  readonly bytes: number;
  /** Content in base64. */
  readonly data: string;
}

/** A file that was read, or the reason why it is not attached; undefined when it is not meant as an image. */
export type ImageFile =
  | { readonly image: AttachedImage; readonly problem?: undefined }
  | { readonly image?: undefined; readonly problem: string }
  | undefined;

/**
 * Reads a file as an image of a message.
 * @param path - absolute path
 * @returns undefined when the path does not have the name of an image, or does not exist
 */
export function readImageFile(path: string): ImageFile {
  if (!NAME.test(path)) return undefined;
  const name = basename(path);
  try {
    const { size } = statSync(path);
    if (size > MOST_BYTES) {
      const problem = `${name} has ${sizeText(size)}, and models accept images of ${sizeText(MOST_BYTES)}; send a smaller one`;
      return { problem };
    }
    const content = readFileSync(path);
    if (imageTypeOf(content) === undefined) {
      return { problem: `${name} is not a PNG, JPEG, GIF or WebP image; it is not attached` };
    }
    const data = content.toString("base64");
    return { image: { name, path, bytes: content.byteLength, data } };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    return { problem: `${name} cannot be read (${code ?? "unknown error"}); it is not attached` };
  }
}

/** Returns a size for display. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
