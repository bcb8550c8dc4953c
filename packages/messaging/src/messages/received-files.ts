import { randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { defined, startOfText } from "@openclaw/foundation";
import { ChannelInvalidMessageError, type ReceivedFile } from "@openclaw/plugin-sdk/channel-core";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";

/** Maximum size of a received file in bytes. */
const MAXIMUM_BYTES = 20 * 1024 * 1024;
/** Longest name of a file that common file systems take, in bytes. */
const LONGEST_NAME = 255;
/** Control characters, line ends, and marks that hide or reorder text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Names that are devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const SAFE_EXTENSION = /^\.[A-Za-z0-9]{1,16}$/;

/** Files that people sent through channels, each in a file with a random name. */
export class ReceivedFiles {
  readonly #folder: () => string;

  /** @param folder - returns an absolute path; the folder is created when it is missing */
  constructor(folder: () => string) {
    this.#folder = folder;
  }

  /**
   * Stores a file, which only the user of the process can read.
   * @param file - name, type and content
   * @returns the attachment for the message
   * @throws ChannelInvalidMessageError when the file is too large
   */
  async save(channel: string, { name, mimeType, content }: ReceivedFile): Promise<AttachmentMeta> {
    const folder = join(this.#folder(), channel);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The name comes from a stranger; only a harmless extension of it is used.
    const shown = name === undefined ? undefined : receivedName(name);
    const extension = extname(shown ?? "");
    const path = join(folder, randomUUID() + (SAFE_EXTENSION.test(extension) ? extension : ""));
    const file = await open(path, "wx", 0o600);
    let bytes = 0;
    try {
      for await (const part of content instanceof Uint8Array ? [content] : content) {
        bytes += part.byteLength;
        if (bytes > MAXIMUM_BYTES) {
          const problem = `a received file is larger than ${MAXIMUM_BYTES} bytes; send a smaller one`;
          throw new ChannelInvalidMessageError(channel, problem);
        }
        await file.write(part);
      }
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
    await file.close();
    return defined({ name: shown, mimeType, bytes, path });
  }
}

/**
 * Returns the name of a received file in a form that models, plugins and people can use: without folders and unseen
 * characters, in any script, and not the name of a device.
 * @param given - name from a stranger
 */
function receivedName(given: string): string {
  const [last = ""] = given.toWellFormed().split(/[/\\]/).slice(-1);
  const plain = last
    .replaceAll(UNSEEN, " ")
    .replace(/[\s.]+$/u, "")
    .trimStart();
  const name = plain === "" ? "file" : plain;
  const extension = extname(name).length <= 20 ? extname(name) : "";
  let stem = name.slice(0, name.length - extension.length);
  while (Buffer.byteLength(stem + extension) > LONGEST_NAME) {
    stem = startOfText(stem, stem.length - 1);
  }
  return DEVICE.test(stem + extension) ? `_${stem}${extension}` : stem + extension;
}
