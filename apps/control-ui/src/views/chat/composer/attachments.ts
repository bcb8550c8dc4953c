import type { SentFile } from "../conversation.js";
import { text } from "../messages.js";

/** Types of images that models see. */
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Largest file in bytes; base64 makes it a third larger. */
const LARGEST = 3.75 * 1000 * 1000;
const MOST = 20;

/** Files that were read, and what was wrong with the others. */
export interface ReadFiles {
  readonly files: readonly SentFile[];
  readonly problem?: string | undefined;
}

/**
 * Reads files for a message. The gateway decides by their bytes what models can read.
 * @param chosen - files that were chosen, dropped or pasted
 * @param present - number of files that the message has
 */
export async function readFiles(chosen: readonly File[], present: number): Promise<ReadFiles> {
  const files: SentFile[] = [];
  let problem: string | undefined;
  for (const file of chosen) {
    if (file.size > LARGEST) problem = text.tooLarge(file.name);
    else if (file.size < 3) problem = text.tooSmall(file.name);
    else if (present + files.length >= MOST) problem = text.tooMany;
    else {
      const data = base64(new Uint8Array(await file.arrayBuffer()));
      const isAudio = file.type.startsWith("audio/");
      files.push({ name: file.name, data, isImage: IMAGE_TYPES.includes(file.type), isAudio });
    }
  }
  return { files, problem };
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
