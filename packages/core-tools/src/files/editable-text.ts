import { ToolRefusalError } from "../errors.js";
import type { OpenedFile } from "./workspace-file.js";

/** Maximum size of a file after write or edit, in UTF-8 bytes (TURN-061). */
export const MAX_CONTENT_BYTES = 1024 * 1024;

/**
 * Reads the text of a file that is to be changed, and closes the file.
 * @param path - as the caller wrote it, for messages
 * @param file - open
 * @throws ToolRefusalError when it is larger than 1 MiB, or is not UTF-8
 */
export async function readEditableText(
  path: string,
  { handle, size }: OpenedFile,
): Promise<string> {
  try {
    if (size > MAX_CONTENT_BYTES) {
      throw new ToolRefusalError(
        "too-large",
        `"${path}" is ${size} bytes; edit takes files up to ${MAX_CONTENT_BYTES}. Change it with exec, for example with sed.`,
      );
    }
    // ignoreBOM keeps a byte order mark as text, so that it is written back.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      await handle.readFile(),
    );
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ToolRefusalError(
      "unreadable",
      `"${path}" is not UTF-8 text, so editing it would damage it. Nothing was changed.`,
      { cause: error },
    );
  } finally {
    await handle.close();
  }
}
