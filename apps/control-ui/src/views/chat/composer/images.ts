import type { SentImage } from "../conversation.js";
import { text } from "../messages.js";

/** Types of images that models see. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
/** Largest image in bytes. */
const LARGEST = 5 * 1024 * 1024;
const MOST = 20;

/** Images that were read, and what was wrong with the others. */
export interface ReadImages {
  readonly images: readonly SentImage[];
  readonly problem?: string | undefined;
}

/**
 * Reads images for a message.
 * @param files - files that were chosen, dropped or pasted
 * @param present - number of images that the message has
 */
export async function readImages(files: readonly File[], present: number): Promise<ReadImages> {
  const images: SentImage[] = [];
  let problem: string | undefined;
  for (const file of files) {
    if (!IMAGE_TYPES.some((type) => type === file.type)) problem = text.notImage(file.name);
    else if (file.size > LARGEST) problem = text.tooLarge(file.name);
    else if (present + images.length >= MOST) problem = text.tooMany;
    else images.push({ name: file.name, data: base64(new Uint8Array(await file.arrayBuffer())) });
  }
  return { images, problem };
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
